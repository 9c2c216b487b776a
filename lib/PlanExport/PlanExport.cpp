//===- PlanExport.cpp - A region as a plan of our own kernels -------------===//
//
// Clones the function into a scratch module, lowers that to kernels, and reads
// the plan off it.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/PlanExport/PlanExport.h"

#include "HostToPlan.h"
#include "Ptx.h"

#include "kernelclaw/Outline/DimNames.h"
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

/// Dimensions by the names that a spec has for them, scalars by position.
static ArgumentName namesOf(func::FuncOp function) {
  DimNames names(function);
  std::vector<std::vector<std::string>> dims;
  for (BlockArgument argument : function.getArguments())
    for (std::vector<std::string> &list = dims.emplace_back();
         const DimNames::Dim &dim : names.dims(argument))
      list.push_back(dim.name);
  return [dims](BlockArgument argument, int64_t dim) -> std::string {
    unsigned i = argument.getArgNumber();
    if (dim < 0)
      return argument.getType().isIntOrFloat() ? scalarName(i) : "";
    return i < dims.size() ? dims[i][dim] : "";
  };
}

static FailureOr<ExportedPlan> planOf(ModuleOp module,
                                      const ArgumentName &names,
                                      const PlanExportOptions &options) {
  MLIRContext *context = module.getContext();
  func::FuncOp host = *module.getOps<func::FuncOp>().begin();
  for (Type type : host.getArgumentTypes())
    if (!isa<RankedTensorType, IntegerType, Float64Type>(type))
      return host.emitError("argument of type ")
             << type
             << ": stock and reference plans take tensors of known rank, "
                "integers, f64 and booleans";
  unsigned arguments = host.getNumArguments();
  bool dynamic = llvm::any_of(host.getArgumentTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
  PassManager pm(context);
  LinalgToGpuOptions lowering;
  lowering.library = options.library;
  pm.addPass(createLinalgToGpu(lowering));
  if (failed(pm.run(module)))
    return failure();
  FailureOr<ExportedPlan> exported = hostToPlan(host, arguments, names);
  if (failed(exported))
    return failure();
  Plan *plan = &exported->plan;
  plan->resizable = dynamic;
  plan->producer = options.producer;
  plan->title = options.producer == Producer::Reference
                    ? "f64 reference by our own lowering"
                : hasLibrarySteps(*plan) ? "stock by libraries"
                                         : "stock by our own lowering";
  // A library stock without library steps is no other stock.
  if (!options.library.empty() && !hasLibrarySteps(*plan))
    return exported;
  std::string name;
  for (const Step &step : plan->steps)
    if (const auto *kernel = std::get_if<KernelStep>(&step))
      name = kernel->module;
  if (name.empty())
    return exported;
  host.erase();
  FailureOr<std::string> ptx =
      compileToPtx(module, options.arch, options.cudaRoot);
  if (failed(ptx))
    return failure();
  plan->modules.push_back({name, PlanModule::Kind::Ptx, std::move(*ptx)});
  return exported;
}

bool kclaw::hasLibrarySteps(const Plan &plan) {
  return llvm::any_of(plan.steps, [](const Step &step) {
    return std::holds_alternative<MatmulStep>(step) ||
           std::holds_alternative<ConvolutionStep>(step);
  });
}

FailureOr<ExportedPlan>
kclaw::exportLinalgPlan(func::FuncOp function,
                        const PlanExportOptions &options) {
  OwningOpRef<ModuleOp> module = scratchModule(function);
  return planOf(*module, namesOf(function), options);
}

FailureOr<ExportedPlan> kclaw::exportPlan(func::FuncOp region,
                                          const PlanExportOptions &options) {
  OwningOpRef<ModuleOp> module = scratchModule(region);
  func::FuncOp copy = *module->getOps<func::FuncOp>().begin();
  LinalgOptions linalg;
  linalg.widenToF64 = options.producer == Producer::Reference;
  linalg.keepConvolutions = !options.library.empty();
  if (failed(lowerTorchToLinalg(copy, linalg)))
    return failure();
  return planOf(*module, namesOf(region), options);
}
