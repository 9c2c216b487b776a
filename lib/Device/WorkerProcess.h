//===- WorkerProcess.h - A worker's child and its restarts ------*- C++ -*-===//
//
// Keeps one child (Worker.h) and judges jobs through it. A crash or a hang of
// the child is the result of the job that it had; the next job gets a fresh
// child. Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_WORKERPROCESS_H
#define KERNELCLAW_LIB_DEVICE_WORKERPROCESS_H

#include "ChildProcess.h"
#include "kernelclaw/Plan/Job.h"

#include <optional>

namespace kclaw {

class WorkerProcess {
public:
  WorkerProcess(std::string executable, std::vector<std::string> args,
                bool verbose = false)
      : executable(std::move(executable)), args(std::move(args)),
        verbose(verbose) {}

  /// The child's answer line, or one made here for a crash or a hang. An Error
  /// only when no child can be started.
  Expected<std::string> judgeLine(const std::string &jobLine,
                                  const std::string &jobId,
                                  double timeoutSeconds);
  int restarts() const { return starts > 0 ? starts - 1 : 0; }

private:
  Expected<void> start();
  std::string commandLine() const;
  Expected<std::string> readAnswer(Clock::time_point deadline);
  std::string lost(const std::string &jobId, Outcome outcome,
                   const std::string &rule, const std::string &message);

  std::string executable;
  std::vector<std::string> args;
  bool verbose;
  int starts = 0;
  std::string phase; ///< the child's last "# ..." line
  std::optional<ChildProcess> child;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_WORKERPROCESS_H
