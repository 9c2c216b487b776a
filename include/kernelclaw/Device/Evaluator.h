//===- Evaluator.h - Plan in, Evaluation out --------------------*- C++ -*-===//
//
// The interface that the agent sees. Implementations: local (a worker process
// per GPU), mailbox (a directory that a worker elsewhere empties), replay
// (recorded evaluations), none (compile only). A crash, hang or sticky error
// kills the worker, never the loop. Not thread-safe; one per loop.
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
  /// has been posted and the same call after a resume finds the answer.
  virtual Expected<Evaluation> evaluate(const Job &job) = 0;
  /// The best evidence that it can give. Each evaluation says its own.
  virtual Evidence evidence() const { return Evidence::Measured; }
};

struct EvaluatorOptions {
  std::string kind = "local";  ///< local | mailbox | replay | none
  std::string device = "cuda"; ///< cuda | sim | auto (Cuda/DriverChoice.h)
  std::string directory;       ///< mailbox or replay directory
  std::string workerPath;      ///< kernelclaw-worker; empty: beside this binary
  /// local: command line in front of the worker's ("srun -N1"), split as a
  /// shell would. The device is then where the launcher puts the worker.
  std::string launcher;
};

/// Unavailable when the kind cannot work here (no worker, no driver).
Expected<std::unique_ptr<Evaluator>>
createEvaluator(const EvaluatorOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_EVALUATOR_H
