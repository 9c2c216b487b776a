//===- Subcommand.h - One subcommand of kernelclaw-memory -------*- C++ -*-===//
//
// Each has a file of its own and a row in kernelclaw-memory.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_MEMORY_SUBCOMMAND_H
#define KERNELCLAW_TOOLS_MEMORY_SUBCOMMAND_H

#include "kernelclaw/Memory/MemoryBank.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

/// What all subcommands share.
struct MemoryOptions {
  std::string bank;     ///< folder memorybank/
  std::string toolPath; ///< this executable's folder: the worker is beside it
};

/// Exit codes.
enum { Good = 0, Failed = 1, WrongUse = 2 };

/// Adds options to `app`; the result runs the subcommand, after parsing.
using Subcommand = std::function<int()>(CLI::App &app,
                                        const MemoryOptions &options);

Subcommand addFeatures, addList, addShow, addExplain, addDiagnose, addCheck;

/// The bank, or the error on standard error.
std::optional<kclaw::MemoryBank> openBank(const MemoryOptions &options);
/// Prints "kernelclaw-memory: WHY" and returns the code.
int fail(const std::string &why, int code = Failed);
/// Text in lines of at most 79 characters, each after `indent`.
std::string wrap(const std::string &text, const std::string &indent);

#endif // KERNELCLAW_TOOLS_MEMORY_SUBCOMMAND_H
