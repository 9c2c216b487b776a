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
  std::string id; ///< unique in its run: "<specHash>-<attempt>"
  /// Evaluate: the whole judgement. Compile: compile only (evaluator=none).
  /// Verify: no candidate; what is judged is an entry of a lowered module.
  enum class Kind { Evaluate, Compile, Verify } kind = Kind::Evaluate;
  KernelSpec spec;
  Plan candidate;
  Plan stock;
  Plan reference; ///< results in f64 (integers stay), same order as the spec
  std::string arch = "sm_90a"; ///< what sources are compiled for
  uint64_t seed = 1;
  double timeoutSeconds = 60;
  double maxTimingSeconds = 2;
  /// Two runs that differ bitwise are refused, not only recorded.
  bool deterministic = false;
  /// An ok candidate that is more than `profileAboveSpeedup` times as fast as
  /// stock (the one kept so far) gets a profile.
  bool profile = false;
  double profileAboveSpeedup = 0;
  /// For a simulator: where a resizable candidate is judged instead of at the
  /// spec's own sizes. Each whose requirements hold; the first is timed.
  std::vector<ReducedProblem> reduced;
  /// Images compiled where the loop runs (evaluator=mailbox); empty: compile.
  std::vector<ModuleImage> images;
  std::vector<ModuleImage> stockImages;
  std::vector<ModuleImage> referenceImages;
};

std::string toJson(const Job &job); ///< one line
Expected<Job> parseJob(const std::string &json);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_JOB_H
