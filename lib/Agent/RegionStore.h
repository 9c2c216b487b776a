//===- RegionStore.h - One region's place in the store ----------*- C++ -*-===//
//
// Private. Which winners may be used here, what was settled before, and what
// the run adds. A null store holds nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_REGIONSTORE_H
#define KERNELCLAW_LIB_AGENT_REGIONSTORE_H

#include "KeptStock.h"

namespace kclaw {

class RegionStore {
public:
  RegionStore(Run &run, const RegionTask &task) : run(run), task(task) {}

  /// A winner that may be used, or a search that would find nothing again.
  std::optional<RegionOutcome> find() const;
  /// Winners of older rules, and the simulator's where a device measures.
  std::vector<StoreEntry> winnersToJudgeAgain() const;

  Expected<void> putWinner(const AttemptRecord &best);
  /// A search that did not settle the question leaves what one did settle.
  Expected<void> putKept(const std::string &reason,
                         AttemptResult::Status status, const Tree &tree,
                         const KeptStock &stock);
  /// Adds the choice of stock to what the store already says.
  Expected<void> putStock(const KeptStock &stock);
  /// What the store says of a region that may have a library stock.
  std::optional<StoreEntry> kept() const;

  /// Whether evidence of this kind is good enough to embed here.
  bool isAccepted(Evidence evidence) const;
  bool isRepeatableEnough(const Evaluation &evaluation) const;
  /// Why it was dropped from an earlier module, which it made wrong.
  std::optional<std::string> refuted(Evidence evidence, const Plan &plan) const;

private:
  StoreKey key(Evidence evidence, bool deterministic) const;
  StoreKey keptKey() const;
  std::vector<StoreKey> keysToSearch() const;
  std::vector<StoreKey> keysToJudgeAgain() const;
  std::optional<RegionOutcome> findKept() const;
  std::string provenance(const AttemptRecord &best) const;

  Run &run;
  const RegionTask &task;
};

/// "1.50x of stock (66.7 us, measured)"
std::string describeSpeedup(const Evaluation &evaluation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_REGIONSTORE_H
