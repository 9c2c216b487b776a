//===- LlmOptimize.cpp - The whole pipeline as one pass -------------------===//
//
// import, outline, synthesize, embed, lower; stop-after ends it early.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Synthesize/LlmOptimize.h"

#include "CpuFallback.h"
#include "LlmOptimizePass.h"
#include "Sidecar.h"

#include "kernelclaw/Outline/DimNames.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

using namespace kclaw;

/// Whether something keeps the module from being lowered as a whole: an op
/// outside of regions, told by a remark, or a region without a plan.
static bool staysTorch(ModuleOp module,
                       const std::map<std::string, RegionPlans> &plans) {
  SmallVector<Operation *> kept = opsWithoutDeviceCode(module);
  for (Operation *op : kept)
    op->emitRemark() << "'"
                     << (torch::opName(op).empty()
                             ? op->getName().getStringRef()
                             : torch::opName(op))
                     << "' stays as Torch IR (keep-unsupported)";
  return !kept.empty() ||
         llvm::any_of(module.getOps<func::FuncOp>(), [&](func::FuncOp region) {
           return region->hasAttr(claw::regionAttrName) &&
                  !plans.contains(region.getSymName().str());
         });
}

LogicalResult LlmOptimize::optimize(ModuleOp module) {
  if (failed(checkValues(module)) || failed(applySidecar(module, sidecar)))
    return failure();
  Stage last = lastStage();
  if (last == Stage::Import)
    return success();
  if (failed(checkRecursion(module)))
    return failure();
  labelEntryDims(module);
  if (device == "cpu")
    return lower(module, TargetDevice::Cpu);
  OwningOpRef<ModuleOp> imported = module.clone();
  CpuFallback cpu; // lowered beside what follows
  if (cpuFallback && last == Stage::Lower)
    cpu.start(*imported);
  if (failed(outline(module)))
    return failure();
  if (last == Stage::Outline)
    return success();
  FailureOr<Synthesis> found = synthesize(module);
  if (failed(found))
    return failure();
  if (last != Stage::Lower &&
      failed(recordUnverified(module, *found, "stop-after=" + stopAfter)))
    return failure();
  if (last == Stage::Synthesize)
    return success();
  if (keepUnsupported && staysTorch(module, found->plans)) {
    if (last == Stage::Lower &&
        failed(recordUnverified(module, *found, "keep-unsupported")))
      return failure();
    return embedPlansBeside(module, found->plans);
  }
  if (failed(addSizeChecks(*imported, module)))
    return failure();
  if (last == Stage::Embed)
    return embed(module, *found);
  if (failed(finish(module, *imported, *found)))
    return failure();
  return cpuFallback ? cpu.addTo(module, std::move(imported)) : success();
}

LogicalResult LlmOptimize::embed(ModuleOp module, const Synthesis &found) {
  if (failed(embedPlans(module, found.plans)))
    return failure();
  adviseGraph(module);
  if (found.tf32)
    module->setAttr(tf32AttrName, UnitAttr::get(module.getContext()));
  return success();
}

/// Embeds, lowers and verifies.
LogicalResult LlmOptimize::finish(ModuleOp module, ModuleOp imported,
                                  Synthesis &found) {
  OwningOpRef<ModuleOp> outlined = module.clone();
  if (failed(embed(module, found)) || failed(lower(module, TargetDevice::Cuda)))
    return failure();
  return verifyWhole(module, imported, *outlined, found);
}

LogicalResult LlmOptimize::outline(ModuleOp module) {
  OpPassManager pm(ModuleOp::getOperationName());
  KClawOutlineOptions options;
  options.granularity = granularity;
  pm.addPass(createKClawOutline(options));
  return runPipeline(pm, module);
}

LogicalResult LlmOptimize::lower(ModuleOp module, TargetDevice target) {
  return failed(runUnverified(module, target)) ? failure()
                                               : mlir::verify(module);
}

std::unique_ptr<Pass> kclaw::createLlmOptimizePass(RunReport *report) {
  return std::make_unique<LlmOptimize>(report);
}

void kclaw::registerLlmOptimizePass(RunReport *report) {
  if (!PassInfo::lookup("llm-optimize"))
    registerPass([report] { return createLlmOptimizePass(report); });
}
