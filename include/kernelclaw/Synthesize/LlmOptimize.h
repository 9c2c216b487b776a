//===- LlmOptimize.h - llm-optimize ----------------------------------*- C++
//-*-===//
//
// The pass that is the whole pipeline. A tool passes a RunReport to learn the
// exit code (a pass itself can only succeed or fail); the plugin passes none.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SYNTHESIZE_LLMOPTIMIZE_H
#define KERNELCLAW_SYNTHESIZE_LLMOPTIMIZE_H

#include "mlir/Pass/Pass.h"

#include <atomic>
#include <memory>

namespace kclaw {

/// Exit codes (docs/run-directory.md).
enum class ExitCode : int {
  Ok = 0,       ///< output written
  Failed = 1,   ///< an error was printed
  Budget = 3,   ///< a budget was reached; output written
  Degraded = 4, ///< something fell back; output written
  Parked = 75,  ///< waits for outside answers; run again to go on
};

/// What a run of llm-optimize came to. Owned by the tool, outlives the pass.
struct RunReport {
  ExitCode exitCode = ExitCode::Ok;
  unsigned won = 0;
  unsigned kept = 0;
  unsigned parked = 0;
  /// What the module must compute (ModuleRecord as JSON), to be written beside
  /// the output; empty when there is no such record.
  std::string verifyRecord;
  /// estimate=true: an estimate was printed, and there is no output.
  bool estimated = false;
  /// In: set from a signal handler, ends the search with an error; may be null.
  const std::atomic<bool> *cancelled = nullptr;
};

/// `report` may be null.
std::unique_ptr<mlir::Pass> createLlmOptimizePass(RunReport *report = nullptr);
/// Safe to call twice in a process; the first report stays.
void registerLlmOptimizePass(RunReport *report = nullptr);

} // namespace kclaw

#endif // KERNELCLAW_SYNTHESIZE_LLMOPTIMIZE_H
