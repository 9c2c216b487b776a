//===- Job.h - One line to kernelclaw-worker --------------------*- C++ -*-===//
//
// Everything a worker needs to judge one plan: the spec, the candidate, stock
// and reference plans. JSON form: docs/schema/job.schema.json. A job without a
// candidate describes an entry of a module (ModuleRecord.h).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_JOB_H
#define KERNELCLAW_PLAN_JOB_H

#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Spec/KernelSpec.h"

#include <optional>

namespace kclaw {

/// A simulator judges regions with more elements in arguments and results at
/// smaller sizes, where that can be done.
constexpr uint64_t reduceAboveElements = uint64_t{1} << 18;

/// A region with static sizes at smaller ones, under the same names.
struct ReducedProblem {
  KernelSpec spec;
  Plan stock;
  Plan reference;
};

struct Job {
  std::string id; ///< unique in its run: "<specHash>-<attempt or stock>"
  /// Evaluate: the whole judgement. Compile: compile only (evaluator=none).
  /// Verify: no candidate; what is judged is an entry of a lowered module.
  /// RunOnce: the candidate runs once on drawn data, nothing is compared; for
  /// tools that look at how it runs (Check.h).
  enum class Kind { Evaluate, Compile, Verify, RunOnce } kind = Kind::Evaluate;
  KernelSpec spec;
  Plan candidate;
  Plan stock; ///< by our own lowering
  /// Stock with library steps. Where it is right and faster on the worker's
  /// device, it is what candidates are compared with (Evaluation::stock).
  std::optional<Plan> libraryStock;
  Plan reference; ///< results in f64 (integers stay), same order as the spec
  std::string arch = "sm_90a"; ///< what sources are compiled for
  uint64_t seed = 1;           ///< mixed with a secret of the worker
  /// Not 0: Evaluation::seed of an earlier judgement, whose data are drawn
  /// again. For explaining; what wins must be judged without.
  uint64_t replaySeed = 0;
  double timeoutSeconds = 60;
  double maxTimingSeconds = 2;
  /// Of the device, for choosing among the candidate's tunables; 0: the plan's
  /// own choice is judged.
  double maxSweepSeconds = 3;
  /// Two runs that differ bitwise are refused, not only recorded.
  bool deterministic = false;
  /// An ok candidate that is more than `profileAboveSpeedup` times as fast as
  /// stock (the one kept so far) gets a profile.
  bool profile = false;
  double profileAboveSpeedup = 0;
  /// Such a candidate that wins (WinRule.h) is judged again in so many fresh
  /// processes; 0: not. Not on the simulator, which says the same each time.
  int confirmProcesses = 0;
  /// ... and its energy is measured, which takes some five seconds.
  bool energy = false;
  /// Also timed in alternation: what is kept so far. It was judged before.
  std::optional<Plan> incumbent;
  /// The evaluation shall say which elements are wrong and where they cluster.
  bool explain = false;
  /// A candidate that would get a profile also runs once under the simulator's
  /// checks and compute-sanitizer, where they are; a finding refuses it.
  bool checks = false;
  /// For a simulator: where a resizable candidate is judged instead of at the
  /// spec's own sizes. Each whose requirements hold; the first is timed.
  std::vector<ReducedProblem> reduced;
  /// Images compiled where the loop runs (evaluator=mailbox); empty: compile.
  std::vector<ModuleImage> images;
  std::vector<ModuleImage> stockImages;
  std::vector<ModuleImage> referenceImages;
  std::vector<ModuleImage> incumbentImages;
};

std::string toJson(const Job &job); ///< one line
Expected<Job> parseJob(const std::string &json);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_JOB_H
