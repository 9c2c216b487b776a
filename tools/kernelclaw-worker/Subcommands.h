//===- Subcommands.h - kernelclaw-worker explain and check ------*- C++ -*-===//
#ifndef KERNELCLAW_TOOLS_WORKER_SUBCOMMANDS_H
#define KERNELCLAW_TOOLS_WORKER_SUBCOMMANDS_H

#include <optional>
#include <string>

/// The exit code when the first argument is a sub-command. `workerPath` is this
/// executable.
std::optional<int> runSubcommand(int argc, char **argv,
                                 const std::string &workerPath);

#endif // KERNELCLAW_TOOLS_WORKER_SUBCOMMANDS_H
