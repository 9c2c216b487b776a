//===- PlanExport.cpp - A region as a plan of our own kernels -------------===//
//
// Clones the function into a scratch module, lowers that to kernels, and reads
// the plan off it.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/PlanExport/PlanExport.h"

#include "HostToPlan.h"
#include "Ptx.h"

#include "kernelclaw/PlanExport/Passes.h"
#include "kernelclaw/TorchToLinalg/TorchToLinalg.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace kclaw;

/// A module with a copy of the function alone, and of the globals it may use.
static OwningOpRef<ModuleOp> scratchModule(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto copy = cast<func::FuncOp>(builder.clone(*function));
  copy.setPublic();
  return module;
}

static FailureOr<Plan> planOf(ModuleOp module,
                              const PlanExportOptions &options) {
  MLIRContext *context = module.getContext();
  func::FuncOp host = *module.getOps<func::FuncOp>().begin();
  for (Type type : host.getArgumentTypes())
    if (!isa<RankedTensorType>(type) ||
        !cast<RankedTensorType>(type).hasStaticShape())
      return host.emitError("argument of type ")
             << type
             << ": stock and reference plans need tensors of static shape";
  unsigned arguments = host.getNumArguments();
  PassManager pm(context);
  pm.addPass(createLinalgToGpu());
  if (failed(pm.run(module)))
    return failure();
  FailureOr<Plan> plan = hostToPlan(host, arguments);
  if (failed(plan))
    return failure();
  plan->producer = options.producer;
  plan->title = options.producer == Producer::Reference
                    ? "f64 reference by our own lowering"
                    : "stock by our own lowering";
  if (plan->steps.empty())
    return plan;
  std::string name = std::get<KernelStep>(plan->steps.front()).module;
  host.erase();
  FailureOr<std::string> ptx =
      compileToPtx(module, options.arch, options.cudaRoot);
  if (failed(ptx))
    return failure();
  plan->modules.push_back({name, PlanModule::Kind::Ptx, std::move(*ptx)});
  return plan;
}

FailureOr<Plan> kclaw::exportLinalgPlan(func::FuncOp function,
                                        const PlanExportOptions &options) {
  OwningOpRef<ModuleOp> module = scratchModule(function);
  return planOf(*module, options);
}

FailureOr<Plan> kclaw::exportPlan(func::FuncOp region,
                                  const PlanExportOptions &options) {
  OwningOpRef<ModuleOp> module = scratchModule(region);
  func::FuncOp copy = *module->getOps<func::FuncOp>().begin();
  LinalgOptions linalg;
  linalg.widenToF64 = options.producer == Producer::Reference;
  if (failed(lowerTorchToLinalg(copy, linalg)))
    return failure();
  return planOf(*module, options);
}
