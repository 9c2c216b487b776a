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

/// exportPlan; with `keep`, what goes wrong is a remark instead of an error.
static FailureOr<Plan> tryExport(func::FuncOp function,
                                 const PlanExportOptions &options, bool keep) {
  if (!keep)
    return exportPlan(function, options);
  std::string reason;
  Location where = function.getLoc();
  FailureOr<Plan> plan;
  {
    ScopedDiagnosticHandler handler(
        function.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (reason.empty()) {
            reason = diagnostic.str();
            where = diagnostic.getLocation();
          }
          return success();
        });
    plan = exportPlan(function, options);
  }
  if (failed(plan))
    emitRemark(where) << function.getSymName()
                      << ": stays as Torch IR (keep-unsupported): " << reason;
  return plan;
}

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
    FailureOr<Plan> stock =
        tryExport(function, exportOptions, opts.keepUnsupported);
    if (failed(stock) && opts.keepUnsupported)
      continue;
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
