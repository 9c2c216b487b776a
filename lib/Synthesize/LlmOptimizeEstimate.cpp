//===- LlmOptimizeEstimate.cpp - What a run may cost, before it does ------===//
//
// estimate=true, and the one question on a terminal before money is spent.
//
//===----------------------------------------------------------------------===//
#include "LlmOptimizePass.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

#include <iostream>
#include <unistd.h>

using namespace mlir;
using namespace kclaw;

static LogicalResult writeText(ModuleOp module, const std::string &path,
                               const std::string &text) {
  std::error_code code;
  llvm::ToolOutputFile file(path, code, llvm::sys::fs::OF_None);
  if (!code) {
    file.os() << text;
    file.os().flush();
    code = file.os().error();
    file.os().clear_error();
  }
  if (code)
    return emitError(module.getLoc())
           << "llm-optimize: cannot write '" << path << "': " << code.message();
  file.keep();
  return success();
}

static bool agrees() {
  llvm::errs() << "send it? [y/N] ";
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

LogicalResult LlmOptimize::estimateFirst(ModuleOp module,
                                         const RegionTasks &regions,
                                         RunSetup &run) {
  bool terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
  bool asks = run.spends && terminal && !yes;
  if (!estimate && !asks)
    return success();
  Expected<Estimate> found =
      estimateRun(regions.tasks, *run.provider, *run.evaluator, run.store.get(),
                  run.agent, run.habits);
  if (!found)
    return refuse(module, found.error());
  std::string table = describe(*found, run.agent);
  if (estimate) {
    llvm::outs() << table;
    bool written = estimateText.empty() ||
                   succeeded(writeText(module, estimateText, found->text));
    if (report)
      report->estimated = written;
    return failure();
  }
  llvm::errs() << table << "\n";
  if (agrees())
    return success();
  return emitError(module.getLoc())
         << "llm-optimize: not agreed to; nothing was sent (yes=true does not "
            "ask, estimate=true prints this and stops)";
}
