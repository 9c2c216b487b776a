//===- Knowledge.h - Long-term memory, as a run has it ----------*- C++ -*-===//
//
// Private. Immutable after loading, shared by all regions of a run. Experience
// is that of other runs: what regions of this run teach reaches their own
// search alone, so that its course does not hang on who was faster.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_KNOWLEDGE_H
#define KERNELCLAW_LIB_AGENT_KNOWLEDGE_H

#include "kernelclaw/Agent/Agent.h"
#include "kernelclaw/Memory/Gate.h"

namespace kclaw {

struct Knowledge {
  MemoryBank bank;
  const Hardware *hardware = nullptr; ///< of the target; null: not known
  std::vector<Experience> experiences;
  /// Skeletons as plans; asked for free, by one thread at a time.
  std::unique_ptr<Provider> expert;
  int64_t startedSeconds = 0; ///< of the run, for rows that it adds
};

/// `run`: id of this run, whose rows are left out.
Expected<std::shared_ptr<const Knowledge>>
loadKnowledge(const AgentOptions &options, const Evaluator &evaluator,
              Store *store, const std::string &run);

/// The `index`-th plan (from 0) that the expert would try; null: none, or it
/// cannot say.
std::optional<Plan> startingPoint(const Knowledge &knowledge,
                                  const KernelSpec &spec, int index,
                                  bool sweepsTunables);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_KNOWLEDGE_H
