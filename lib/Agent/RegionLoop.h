//===- RegionLoop.h - Attempts at one region --------------------*- C++ -*-===//
//
// Private. Store first, then attempts until something ends the search; the
// best is stored as soon as it is known, and what an attempt taught, too.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_REGIONLOOP_H
#define KERNELCLAW_LIB_AGENT_REGIONLOOP_H

#include "RegionStore.h"
#include "Strategy.h"

namespace kclaw {

/// The search at one region, an attempt at a time, so that a run can choose
/// which region goes on.
class RegionSearch {
public:
  /// `label` starts the progress lines: "[2/7] 1f3a90bc".
  RegionSearch(Run &run, const RegionTask &task, const std::string &label);

  /// The store and a winner to judge again, or one attempt. Afterwards either
  /// outcome() is there, or the search can go on. An attempt that the region's
  /// share of the budget cut short is gone on with in the next step.
  Expected<void> step();
  const std::optional<RegionOutcome> &outcome() const { return found; }

  const Tree &attempts() const { return tree; }
  int attemptsLeft() const { return run.options.budget.maxAttempts + 1 - next; }
  bool wasCut() const { return cut; }
  /// Said with the reason if a cap ends the search; empty: nothing.
  void setWaitReason(const std::string &text) { waitReason = text; }

private:
  Expected<void> begin();
  Expected<void> rewind();
  Expected<void> judgeStored();
  std::string whyNotJudged() const;
  Expected<void> attempt();
  Expected<void> take(AttemptRecord record);
  Expected<void> conclude(AttemptResult::Status status, const std::string &why);
  Expected<void> keep(RegionOutcome &outcome, AttemptResult::Status status,
                      const std::string &why);
  Expected<void> keepFromStore();
  Expected<KeptStock> chooseStock(RegionOutcome &outcome);

  bool isWinner(const AttemptRecord &record) const;
  const AttemptRecord *closest() const;
  std::string describeKept(const std::string &why) const;
  std::string describeUnaccepted(const Evaluation &evaluation) const;
  void progress(const std::string &text) const;

  Run &run;
  const RegionTask &task;
  std::string label;
  RegionStore store;
  Tree tree;
  std::unique_ptr<Strategy> strategy; ///< null before the first step
  int next = 1;
  int shown = 0;    ///< attempts that progress has told
  bool cut = false; ///< the attempt under way, by its share
  std::string waitReason;
  std::optional<RegionOutcome> found;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_REGIONLOOP_H
