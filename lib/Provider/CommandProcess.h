//===- CommandProcess.h - A program as a function ---------------*- C++ -*-===//
//
// Private. Runs a program in a process group of its own: text in, text out.
// Whatever ends the call ends the whole group.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_COMMANDPROCESS_H
#define KERNELCLAW_LIB_PROVIDER_COMMANDPROCESS_H

#include "kernelclaw/Support/Error.h"

#include <atomic>
#include <string>
#include <vector>

namespace kclaw {

struct CommandLimits {
  double seconds = 300;
  size_t outputBytes = size_t{8} << 20;
  const std::atomic<bool> *cancelled = nullptr; ///< looked at every 50 ms
};

struct CommandResult {
  std::string output;
  std::string lastErrors; ///< the last lines of standard error
  std::string
      end; ///< "ended with exit code 3", "was killed by signal 11 (...)"
  bool good = false; ///< exit code 0
};

/// `words`: program (looked up on PATH) and arguments, without a shell.
/// `environment`: "NAME=value", nothing else is inherited. An Error (Io when it
/// cannot be started, Unavailable when it was cancelled, Invalid when it gave
/// no answer in time or too much of one) tells why there is no
/// result.
Expected<CommandResult> runCommand(const std::vector<std::string> &words,
                                   const std::vector<std::string> &environment,
                                   const std::string &input,
                                   const CommandLimits &limits);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_COMMANDPROCESS_H
