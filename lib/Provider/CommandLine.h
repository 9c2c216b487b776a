//===- CommandLine.h - A program's words and variables ----------*- C++ -*-===//
//
// Private.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_COMMANDLINE_H
#define KERNELCLAW_LIB_PROVIDER_COMMANDLINE_H

#include "kernelclaw/Support/Error.h"

#include <string>
#include <vector>

namespace kclaw {

/// Words as a shell splits them, "$NAME" filled in; no command substitution.
Expected<std::vector<std::string>> splitCommand(const std::string &text);

/// This process's variables without those whose name says that they hold a
/// secret; `passed` are kept all the same.
std::vector<std::string>
environmentWithoutKeys(const std::vector<std::string> &passed);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_COMMANDLINE_H
