//===- Learned.h - The subcommands of `learned` -----------------*- C++ -*-===//
//
// What attempts taught: list, explain, export, merge, forget. One file each;
// Learned.cpp has the table. Used by kernelclaw-memory and kernelclaw-store.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_MEMORY_LEARNED_H
#define KERNELCLAW_TOOLS_MEMORY_LEARNED_H

#include "kernelclaw/Store/StoreFile.h"

#include <CLI/CLI.hpp>

namespace kclaw {

inline constexpr const char *learnedSummary =
    "what attempts taught: list, explain, export, merge, forget";

/// What the tool around has: its name for messages, where the store is (read
/// when a subcommand runs), and the exit code to set.
struct LearnedTool {
  std::string tool;
  const std::string &where;
  int &code;

  /// Prints "TOOL: error: ..." and sets the code to 1.
  void fail(const Error &error) const;
  /// Null: the error is printed.
  std::unique_ptr<Store> open() const;
};

/// Adds all subcommands of `learned`.
void addLearned(CLI::App &learned, const LearnedTool &tool);

// Their parts.
void addLearnedList(CLI::App &app, const LearnedTool &tool);
void addLearnedExplain(CLI::App &app, const LearnedTool &tool);
void addLearnedExport(CLI::App &app, const LearnedTool &tool);
void addLearnedMerge(CLI::App &app, const LearnedTool &tool);
void addLearnedForget(CLI::App &app, const LearnedTool &tool);

/// --arch, --family, --method, --device, --region, --run, --evidence. Any
/// evidence unless given: people may look at everything.
std::shared_ptr<ExperienceFilter> addFilter(CLI::App &app);

/// "r/abc/2  vectorize-loads  ok, 1.25x (measured on NVIDIA H200)"
std::string oneLine(const Experience &experience);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_MEMORY_LEARNED_H
