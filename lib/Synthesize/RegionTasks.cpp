//===- RegionTasks.cpp - From region functions to agent tasks -------------===//
//
// Builds spec, stock and reference of each region function.
//
//===----------------------------------------------------------------------===//
#include "RegionTasks.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/PlanExport/PlanExport.h"
#include "kernelclaw/Synthesize/Synthesize.h"

using namespace mlir;
using namespace kclaw;

std::string kclaw::ptxArch(StringRef arch) { return arch.rtrim("a").str(); }

FailureOr<RegionTasks>
kclaw::collectRegionTasks(ModuleOp module, const RegionTaskOptions &opts) {
  RegionTasks result;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto region =
        function->getAttrOfType<claw::RegionAttr>(claw::regionAttrName);
    if (!region)
      continue;
    PlanExportOptions exportOptions;
    exportOptions.arch = ptxArch(opts.arch);
    FailureOr<Plan> stock = exportPlan(function, exportOptions);
    if (failed(stock))
      return failure();
    std::string symbol = function.getSymName().str();
    result.plans[symbol].stock.plan = *stock;
    if (region.getKind() == "residual")
      continue;
    exportOptions.producer = Producer::Reference;
    FailureOr<Plan> reference = exportPlan(function, exportOptions);
    FailureOr<KernelSpec> spec = buildKernelSpec(function, opts.policy);
    if (failed(reference) || failed(spec))
      return failure();
    for (const TensorSpec &tensor : spec->arguments)
      for (const Dim &dim : tensor.dims)
        result.plans[symbol].dims[dim.name] = dim.value;
    for (const TensorSpec &tensor : spec->results)
      for (const Dim &dim : tensor.dims)
        result.plans[symbol].dims[dim.name] = dim.value;
    result.tasks.push_back({std::move(*spec), *stock, std::move(*reference)});
    result.functions.push_back(function);
  }
  return result;
}
