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

/// How a process ended.
struct ProcessEnd {
  std::string
      text; ///< "killed by signal 11 (Segmentation fault)", "exit code 3"
  /// The signal, also one that a launcher reports as exit code 128 + signal;
  /// 0: none, or ours.
  int signal = 0;
};

class ChildProcess {
public:
  /// A line longer than this is no answer.
  static constexpr size_t maxLineBytes = size_t{1} << 27;

  /// `executable` without a '/' is looked up on PATH.
  /// `environment` nullptr: this process's own without secrets (names with
  /// KEY, TOKEN, SECRET, PASSWORD or CREDENTIAL); else exactly these entries.
  /// A launcher is asked to end (end of input, then SIGTERM) before it is
  /// killed, and all that it started here with it: it has a worker elsewhere to
  /// take down.
  static Expected<ChildProcess>
  spawn(const std::string &executable, const std::vector<std::string> &args,
        const std::vector<std::string> *environment, bool isLauncher = false);
  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&other) noexcept;
  ~ChildProcess();

  /// Error::Code::Io when the child is gone, Budget at the deadline.
  Expected<void> write(const std::string &bytes, Clock::time_point deadline);
  void closeInput();
  /// One line without its newline; Io at end of file, Budget at the deadline,
  /// Invalid when it is longer than maxLineBytes.
  Expected<std::string> readLine(Clock::time_point deadline);
  /// Everything until end of file.
  Expected<std::string> readAll(Clock::time_point deadline);

  /// Reaps, at once killed or given some seconds to end by itself.
  ProcessEnd finish(bool killFirst);
  /// The same, as text.
  std::string end(bool killFirst) { return finish(killFirst).text; }
  bool alive() const { return pid > 0; }

private:
  ChildProcess(pid_t pid, int socket, bool isLauncher)
      : pid(pid), socket(socket), isLauncher(isLauncher) {}
  /// Bytes were appended (true) or the stream ended (false).
  Expected<bool> fill(Clock::time_point deadline);

  pid_t pid = -1;
  int socket = -1;
  bool isLauncher = false; ///< leads a process group
  std::string buffer;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CHILDPROCESS_H
