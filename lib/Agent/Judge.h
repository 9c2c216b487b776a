//===- Judge.h - A plan, judged and on record -------------------*- C++ -*-===//
//
// Private. Every step first looks whether its result is recorded, so a resumed
// run goes through the same code.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_JUDGE_H
#define KERNELCLAW_LIB_AGENT_JUDGE_H

#include "Attempt.h"

namespace kclaw {

/// How much is asked of the evaluator about a candidate.
struct Judging {
  /// What is faster will be kept; none: nothing will.
  std::optional<double> keepAboveSpeedup = {};
  /// What is faster gets profile and checks; none: as keepAboveSpeedup.
  std::optional<double> profileAboveSpeedup = {};
  const Plan *incumbent = nullptr; ///< timed beside it; null: none
};

/// For a model's plan as JSON: what it may not hold, and what does not fit the
/// region, is a rejected attempt.
Expected<AttemptResult> judgeText(Run &run, const RegionTask &task, int attempt,
                                  const std::string &planJson,
                                  const Judging &judging);
Expected<AttemptResult> judgePlan(Run &run, const RegionTask &task, int attempt,
                                  Plan plan, const Judging &judging);
/// A failed attempt on record, without a plan that could be judged.
Expected<AttemptResult> rejectAttempt(Run &run, const RegionTask &task,
                                      int attempt, const std::string &rule,
                                      const std::string &message);
/// What a tool of the agent asks beside attempts: not on record here, booked.
Expected<Evaluation> evaluateAside(Run &run, Job job);
/// The job of a candidate, for evaluateAside.
Job candidateJob(const Run &run, const RegionTask &task, int attempt,
                 const Plan &plan, const Judging &judging);

AttemptResult ended(AttemptResult::Status status, const std::string &reason);
/// Errors that end a region, not the run. `broken` remembers for the next
/// regions what failed.
Expected<AttemptResult> endOrFail(const Error &error, std::string &broken);
/// Of provider or evaluator: no search goes on.
inline Expected<AttemptResult> endOrFail(Run &run, const Error &error) {
  return endOrFail(error, run.broken);
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_JUDGE_H
