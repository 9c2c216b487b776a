//===- ReducedProblems.cpp - Regions at sizes for a simulator -------------===//
#include "ReducedProblems.h"

#include "kernelclaw/Outline/ReducedSizes.h"
#include "kernelclaw/PlanExport/PlanExport.h"
#include "kernelclaw/Synthesize/Synthesize.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace kclaw;

/// Plans speak of sizes by name: a name must mean the same dimensions.
static bool haveSameNames(const KernelSpec &a, const KernelSpec &b) {
  auto names = [](const KernelSpec &spec) {
    std::vector<std::string> list;
    for (const auto *tensors : {&spec.arguments, &spec.results})
      for (const TensorSpec &tensor : *tensors)
        for (const Dim &dim : tensor.dims)
          list.push_back(dim.name);
    return list;
  };
  return names(a) == names(b);
}

static std::optional<ReducedProblem> problemOf(ModuleOp module,
                                               const KernelSpec &real,
                                               const RegionTaskOptions &opts) {
  // That a variant cannot be lowered is no news: the region is judged without.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  func::FuncOp region = *module.getOps<func::FuncOp>().begin();
  if (failed(verify(module)))
    return std::nullopt;
  PlanExportOptions options;
  options.arch = ptxArch(opts.arch);
  FailureOr<KernelSpec> spec = buildKernelSpec(region, opts.policy);
  if (failed(spec) || !haveSameNames(*spec, real))
    return std::nullopt;
  FailureOr<ExportedPlan> stock = exportPlan(region, options);
  options.producer = Producer::Reference;
  FailureOr<ExportedPlan> reference = exportPlan(region, options);
  if (failed(stock) || failed(reference))
    return std::nullopt;
  return ReducedProblem{std::move(*spec), std::move(stock->plan),
                        std::move(reference->plan)};
}

void kclaw::addReducedProblems(RegionTasks &regions,
                               const RegionTaskOptions &opts) {
  for (auto [task, function] : llvm::zip(regions.tasks, regions.functions)) {
    if (borderElements(function) <= reduceAboveElements)
      continue;
    for (OwningOpRef<ModuleOp> &variant :
         reducedVariants(function, reduceAboveElements))
      if (auto problem = problemOf(*variant, task.spec, opts))
        task.reduced.push_back(std::move(*problem));
  }
}
