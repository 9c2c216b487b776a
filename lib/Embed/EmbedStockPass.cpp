//===- EmbedStockPass.cpp - kclaw-embed-stock -----------------------------===//
//
// Every region with its stock plan: a module for CUDA without a search.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Embed/Embed.h"
#include "kernelclaw/Embed/Passes.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/PlanExport/Architectures.h"
#include "kernelclaw/PlanExport/PlanExport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace kclaw {
#define GEN_PASS_DEF_EMBEDSTOCK
#include "kernelclaw/Embed/Passes.h.inc"
} // namespace kclaw

using namespace kclaw;

namespace {
struct EmbedStock : kclaw::impl::EmbedStockBase<EmbedStock> {
  using EmbedStockBase::EmbedStockBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerEmbedDialects(registry);
    registerPlanExportInterfaces(registry);
  }

  void runOnOperation() override {
    if (failed(checkArchitecture(getOperation().getLoc(), "arch", arch)))
      return signalPassFailure();
    PlanExportOptions options;
    options.arch = arch;
    options.cudaRoot = cudaRoot;
    if (failed(addSizeChecks(getOperation(), getOperation())))
      return signalPassFailure();
    std::map<std::string, RegionPlans> regions;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(claw::regionAttrName))
        continue;
      PlanExportOptions byLibrary = options;
      byLibrary.library = library;
      FailureOr<ExportedPlan> exported = exportPlan(function, byLibrary);
      if (succeeded(exported) && !library.empty() &&
          !hasLibrarySteps(exported->plan))
        exported = exportPlan(function, options);
      if (failed(exported))
        return signalPassFailure();
      RegionPlans &plans = regions[function.getName().str()];
      plans.stock.plan = std::move(exported->plan);
      plans.resultDims = std::move(exported->resultDims);
      if (guarded)
        plans.winner = plans.stock;
    }
    if (failed(embedPlans(getOperation(), regions)))
      signalPassFailure();
  }
};
} // namespace
