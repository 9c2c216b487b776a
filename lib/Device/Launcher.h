//===- Launcher.h - A scheduler in front of the worker ----------*- C++ -*-===//
//
// A launcher such as "srun -N1" is a command that starts the command given
// after it and connects its standard input and output.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_LAUNCHER_H
#define KERNELCLAW_LIB_DEVICE_LAUNCHER_H

#include "kernelclaw/Support/Error.h"

#include <string>
#include <vector>

namespace kclaw {

/// The words of a launcher as a POSIX shell would split them: quotes,
/// backslashes, variables, ~ and file patterns; command substitution is
/// refused. Invalid when it does not parse or is empty, Unavailable when the
/// first word is no executable (looked up on PATH when it has no '/').
Expected<std::vector<std::string>> parseLauncher(const std::string &text);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_LAUNCHER_H
