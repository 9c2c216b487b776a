//===- WinnerChecks.h - Tools that look at a winner -------------*- C++ -*-===//
//
// A candidate that is kept runs once under the simulator's checks, at sizes
// that it takes, and once under each tool of compute-sanitizer. Each runs in a
// process of its own (a worker's child with a job of kind run-once) within a
// time limit. What is not there or does not finish is a row that says so; a
// finding is a failure.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_CHECKS_WINNERCHECKS_H
#define KERNELCLAW_LIB_DEVICE_CHECKS_WINNERCHECKS_H

#include "RunFailure.h"
#include "kernelclaw/Plan/Job.h"

#include <functional>

namespace kclaw {

struct CheckPlace {
  std::string workerPath;
  bool simulated = false; ///< the judgement itself was
  /// Seconds that the job has left.
  std::function<double()> remaining;
  std::function<void(const std::string &)> progress;
};

/// Appends to `checks`. `images` are the candidate's. Fault, with the tool as
/// rule, at the first finding; further tools do not run then.
Run<void> checkWinner(const Job &job, const std::vector<ModuleImage> &images,
                      const CheckPlace &place, std::vector<ToolCheck> &checks);

/// What the simulator's answer to a run-once job means.
ToolCheck readSimulatorAnswer(const Evaluation &answer);

/// KERNELCLAW_COMPUTE_SANITIZER, else compute-sanitizer on PATH or in a
/// toolkit; Unavailable says where it was looked for.
Expected<std::string> findComputeSanitizer();

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CHECKS_WINNERCHECKS_H
