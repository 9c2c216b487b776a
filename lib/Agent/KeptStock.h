//===- KeptStock.h - Which stock a region without a winner keeps -*- C++
//-*-===//
//
// Private. Stock is the better one of library steps and our own lowering. Where
// a candidate was judged, that told which; where none was, the library stock is
// judged once in a candidate's place. The store remembers it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_KEPTSTOCK_H
#define KERNELCLAW_LIB_AGENT_KEPTSTOCK_H

#include "Attempt.h"

namespace kclaw {

struct KeptStock {
  StockReport report; ///< not decided: our own lowering, as nobody compared
  Evidence evidence = Evidence::None; ///< of `report`
  /// Parked, Budget or Broken: why the comparison was not made.
  std::optional<AttemptResult> notJudged;

  /// Whether another run would be told the same: not a missing library, a time
  /// limit or a lost worker.
  bool isLasting() const;
};

/// By `history`, else by the store's entry of the kept region, else by the
/// evaluator. An Error only for what stops the run.
Expected<KeptStock> chooseKeptStock(Run &run, const RegionTask &task,
                                    const Tree &tree,
                                    const std::optional<StoreEntry> &stored);

/// What is embedded: the library's only from evidence that may be.
StockReport accepted(const KeptStock &stock, const AgentOptions &options,
                     const KernelSpec &spec);

/// "; stock is the library's: ..."; empty where nothing was compared.
std::string describe(const KeptStock &stock, const AgentOptions &options,
                     const KernelSpec &spec);

/// Adds a lasting choice to what the store keeps of the region: the library
/// stock as its plan, the report in its evaluation.
void remember(const KeptStock &stock, const RegionTask &task,
              StoreEntry &entry);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_KEPTSTOCK_H
