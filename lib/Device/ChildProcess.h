//===- ChildProcess.h - A process on the other end of a socket --*- C++ -*-===//
//
// Owns one child whose standard input and output are one local socket pair.
// Reads have deadlines; destruction kills and reaps. A child that cannot be
// reaped (a GPU driver may hold a process for seconds) is left behind rather
// than waited for without end. Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_CHILDPROCESS_H
#define KERNELCLAW_LIB_DEVICE_CHILDPROCESS_H

#include "kernelclaw/Support/Error.h"

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kclaw {

using Clock = std::chrono::steady_clock;
Clock::time_point after(double seconds);
double secondsSince(Clock::time_point start);

class ChildProcess {
public:
  /// `executable` without a '/' is looked up on PATH.
  /// `environment` nullptr: this process's own without secrets (names with
  /// KEY, TOKEN, SECRET, PASSWORD or CREDENTIAL); else exactly these entries.
  static Expected<ChildProcess>
  spawn(const std::string &executable, const std::vector<std::string> &args,
        const std::vector<std::string> *environment);
  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&other) noexcept;
  ~ChildProcess();

  /// Error::Code::Io when the child is gone, Budget at the deadline.
  Expected<void> write(const std::string &bytes, Clock::time_point deadline);
  void closeInput();
  /// One line without its newline; Io at end of file, Budget at the deadline.
  Expected<std::string> readLine(Clock::time_point deadline);
  /// Everything until end of file.
  Expected<std::string> readAll(Clock::time_point deadline);

  /// Kills and reaps; the text says how it ended ("killed by signal 11
  /// (Segmentation fault)", "exit code 3").
  std::string end(bool killFirst);
  bool alive() const { return pid > 0; }

private:
  ChildProcess(pid_t pid, int socket) : pid(pid), socket(socket) {}
  /// Bytes were appended (true) or the stream ended (false).
  Expected<bool> fill(Clock::time_point deadline);

  pid_t pid = -1;
  int socket = -1;
  std::string buffer;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CHILDPROCESS_H
