//===- Evaluator.h - Plan in, Evaluation out --------------------*- C++ -*-===//
//
// The interface that the agent sees. Implementations: local (a worker process
// per GPU), mailbox (a directory that a worker elsewhere empties), replay
// (recorded evaluations), none (compile only). A crash, hang or sticky error
// kills the worker, never the loop. One per loop, which may have several jobs
// under way at once.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_DEVICE_EVALUATOR_H
#define KERNELCLAW_DEVICE_EVALUATOR_H

#include "kernelclaw/Plan/Job.h"

#include <memory>

namespace kclaw {

class Evaluator {
public:
  virtual ~Evaluator() = default;
  /// Error::Code::Parked when the answer is not there yet (mailbox): the job
  /// has been posted and the same call after a resume finds the answer. May be
  /// called by several threads at once where parallelJobs() is above 1.
  virtual Expected<Evaluation> evaluate(const Job &job) = 0;
  /// How many jobs are judged at once; calls beyond that wait. 1: only one
  /// thread may call.
  virtual int parallelJobs() const { return 1; }
  /// The best evidence that it can give. Each evaluation says its own.
  virtual Evidence evidence() const { return Evidence::Measured; }
  /// Whether it chooses among the values of a plan's tunables.
  virtual bool sweepsTunables() const { return false; }
};

struct EvaluatorOptions {
  std::string kind = "local";  ///< local | mailbox | replay | none
  std::string device = "cuda"; ///< cuda | sim | auto (Cuda/DriverChoice.h)
  std::string directory;       ///< mailbox or replay directory
  std::string workerPath;      ///< kernelclaw-worker; empty: beside this binary
  /// local: command line in front of the worker's ("srun -N1"), split as a
  /// shell would. The device is then where the launcher puts the worker.
  std::string launcher;
  /// local: how many workers judge at once. 0: one for each GPU that can be
  /// seen (CUDA_VISIBLE_DEVICES chooses); one on the simulator and behind a
  /// launcher. Each worker has a device of its own.
  int workers = 0;
};

/// Rule of a Fault that two workers, one after the other, were lost with: the
/// job may be to blame, or not.
inline constexpr const char *workerLostRule = "worker-lost";

/// Unavailable when the kind cannot work here (no worker, no driver).
Expected<std::unique_ptr<Evaluator>>
createEvaluator(const EvaluatorOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_EVALUATOR_H
