//===- Commands.h - The subcommands of kernelclaw-store ---------*- C++ -*-===//
//
// Each adds its options to its own CLI::App and runs when that was parsed. A
// command ends by setting `code`.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_STORE_COMMANDS_H
#define KERNELCLAW_TOOLS_STORE_COMMANDS_H

#include "kernelclaw/Store/StoreFile.h"

#include <CLI/CLI.hpp>

namespace kclaw {

/// 2 is wrong usage, found while parsing.
enum ToolCode { Done = 0, Failed = 1, WrongUsage = 2 };

struct StoreTool {
  std::string where; ///< --store
  int code = Done;

  /// Prints "kernelclaw-store: error: ..." and remembers the code.
  void fail(const Error &error);
  /// Both: the error is printed.
  std::unique_ptr<Store> open();
  std::optional<StoreContents> read();
};

struct RejudgeOptions {
  std::vector<std::string> runs; ///< run directories with the regions
  std::string device = "auto";   ///< as of EvaluatorOptions
};
/// Judges every winner again and keeps what it finds; a line a winner.
void rejudge(const RejudgeOptions &options, StoreTool &tool);

void addList(CLI::App &app, StoreTool &tool);
void addShow(CLI::App &app, StoreTool &tool);
void addExport(CLI::App &app, StoreTool &tool);
void addImport(CLI::App &app, StoreTool &tool);
void addVerify(CLI::App &app, StoreTool &tool);
void addForget(CLI::App &app, StoreTool &tool);

/// "3 winners", "1 winner".
std::string counted(size_t count, const std::string &noun);
/// "1.93x of stock"
std::string speedupOf(const Evaluation &evaluation);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_STORE_COMMANDS_H
