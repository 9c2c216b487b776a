//===- WorkerProcess.h - A worker's child and its restarts ------*- C++ -*-===//
//
// Keeps one child (Worker.h) and judges jobs through it. A crash or a hang of
// the child is the result of the job that it had; a child that was killed, or
// that just went away, is no verdict on the job. In each case the next job gets
// a fresh child. Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_WORKERPROCESS_H
#define KERNELCLAW_LIB_DEVICE_WORKERPROCESS_H

#include "ChildProcess.h"
#include "kernelclaw/Plan/Job.h"

#include <optional>

namespace kclaw {

/// What starts a worker's child.
struct WorkerCommand {
  std::string executable;
  std::vector<std::string> args;
  bool isLauncher = false; ///< ChildProcess::spawn
};

struct WorkerLimits {
  /// Opening a device and compiling the judge's kernels.
  double startSeconds = 120;
  /// Beyond a job's own limit. The child ends hung jobs itself, with a better
  /// message; this is for when it cannot.
  double graceSeconds = 15;
};

class WorkerProcess {
public:
  explicit WorkerProcess(WorkerCommand command, bool verbose = false,
                         std::string name = "worker", WorkerLimits limits = {})
      : command(std::move(command)), verbose(verbose), name(std::move(name)),
        limits(limits) {}

  /// The child's answer line, or one made here for a crash or a hang.
  /// Error::Code::Unavailable when no child can be started, Io when the child
  /// was lost: the message is its last words.
  Expected<std::string> judgeLine(const std::string &jobLine,
                                  const std::string &jobId,
                                  double timeoutSeconds);
  /// Ends the child, if there is one; the next job gets a fresh one.
  void drop();
  int restarts() const { return starts > 0 ? starts - 1 : 0; }
  /// What the child last said it was doing.
  const std::string &lastPhase() const { return phase; }

private:
  Expected<void> start();
  std::string commandLine() const;
  Expected<std::string> readAnswer(Clock::time_point deadline,
                                   double deviceWaitSeconds);
  std::unexpected<Error> lostWorker(const std::string &how);

  WorkerCommand command;
  bool verbose;
  std::string name; ///< begins what is said on stderr
  WorkerLimits limits;
  int starts = 0;
  std::string phase; ///< the child's last "# ..." line
  std::optional<ChildProcess> child;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_WORKERPROCESS_H
