//===- LlmOptimizePass.h - The pass's parts ---------------------*- C++ -*-===//
//
// One class in five files: LlmOptimize.cpp has the order of things,
// LlmOptimizeOptions.cpp what was asked, LlmOptimizeEstimate.cpp what it may
// cost, LlmOptimizeSearch.cpp the search for winners, LlmOptimizeVerify.cpp the
// check of the whole module.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_LLMOPTIMIZEPASS_H
#define KERNELCLAW_LIB_SYNTHESIZE_LLMOPTIMIZEPASS_H

#include "RegionTasks.h"
#include "RunSetup.h"
#include "VerifyModule.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/PlanExport/PlanExport.h"
#include "kernelclaw/Synthesize/LlmOptimize.h"
#include "kernelclaw/Torch/Torch.h"

#include "llvm/ADT/StringSwitch.h"

namespace kclaw {
#define GEN_PASS_DECL_LLMOPTIMIZE
#define GEN_PASS_DEF_LLMOPTIMIZE
#include "kernelclaw/Synthesize/LlmOptimize.h.inc"
} // namespace kclaw

namespace kclaw {

using namespace mlir;

enum class Stage { Import, Outline, Synthesize, Embed, Lower };

/// What the search left: the plans to embed, and what the run keeps open.
struct Synthesis {
  std::map<std::string, RegionPlans> plans;
  std::map<std::string, StoreKey> keys; ///< of the winners, by symbol
  bool tf32 = false; ///< a winner rounds f32 operands to TF32, as it may
  RunSetup run;
};

class LlmOptimize : public kclaw::impl::LlmOptimizeBase<LlmOptimize> {
public:
  explicit LlmOptimize(RunReport *report) : report(report) {}
  LlmOptimize(const LlmOptimize &other)
      : LlmOptimizeBase(other), report(other.report) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<torch::TorchDialect, claw::ClawDialect>();
    registerLowerDialects(registry);
    registerPlanExportInterfaces(registry);
    registerEmbedDialects(registry);
  }

  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override;

  void runOnOperation() override {
    if (succeeded(optimize(getOperation())))
      return;
    if (report && report->exitCode == ExitCode::Ok)
      report->exitCode = ExitCode::Failed;
    signalPassFailure();
  }

private:
  LogicalResult optimize(ModuleOp module);
  LogicalResult checkValues(ModuleOp module);
  LogicalResult outline(ModuleOp module);
  LogicalResult lower(ModuleOp module, TargetDevice target);
  LogicalResult keepStock(func::FuncOp function, StringRef reason,
                          RunReport &counts);
  FailureOr<Synthesis> synthesize(ModuleOp module);
  /// estimate=true: prints it. Else, on a terminal and where calls cost money:
  /// shows it and asks. Failure: nothing is to be searched.
  LogicalResult estimateFirst(ModuleOp module, const RegionTasks &regions,
                              RunSetup &run);
  LogicalResult embed(ModuleOp module, const Synthesis &found);
  LogicalResult finish(ModuleOp module, ModuleOp imported, Synthesis &found);
  LogicalResult verifyWhole(ModuleOp module, ModuleOp imported,
                            ModuleOp outlined, Synthesis &found);
  /// graph=auto: callers are told that a CUDA graph is worth it.
  void adviseGraph(ModuleOp module) const {
    if (graph == "auto")
      module->setAttr(graphAttrName, UnitAttr::get(module.getContext()));
  }
  Policy askedPolicy() const;
  std::string whyUnverified(const Synthesis &found) const;
  LogicalResult dropWinners(ModuleOp outlined, Verification &verification,
                            Synthesis &found);
  LogicalResult recordUnverified(ModuleOp module, const Synthesis &found,
                                 const std::string &reason);
  LogicalResult settle(ModuleOp module, RegionTasks &regions,
                       std::vector<RegionOutcome> outcomes, RunSetup &run);
  void describeRegions(ModuleOp module, const std::vector<RegionTask> &tasks,
                       RunSetup &run);
  LogicalResult reportAbsent(ModuleOp module, ArrayRef<std::string> absent,
                             size_t regions);
  RunOptions runOptions() const;
  SmallVector<const llvm::cl::opt<std::string> *> textOptions() const {
    return {&provider,    &model,      &roleModels,      &baseUrl, &api,
            &keyVariable, &header,     &reasoningEffort, &command, &prices,
            &evaluator,   &launcher,   &device,          &arch,    &policy,
            &granularity, &accept,     &verify,          &missing, &graph,
            &strategy,    &store,      &runDir,          &replay,  &exchangeDir,
            &mailboxDir,  &memorybank, &stopAfter,       &sidecar, &progress,
            &estimateText};
  }
  Stage lastStage() const {
    return llvm::StringSwitch<Stage>(stopAfter.getValue())
        .Case("import", Stage::Import)
        .Case("outline", Stage::Outline)
        .Case("synthesize", Stage::Synthesize)
        .Case("embed", Stage::Embed)
        .Default(Stage::Lower);
  }

  RunReport *report = nullptr;
};

/// An error of the agent half as the pass's own.
inline LogicalResult refuse(ModuleOp module, const Error &error) {
  return emitError(module.getLoc()) << "llm-optimize: " << error.message;
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_LLMOPTIMIZEPASS_H
