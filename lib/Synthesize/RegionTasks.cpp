//===- RegionTasks.cpp - From region functions to agent tasks -------------===//
//
// Builds spec, stock and reference of each region function.
//
//===----------------------------------------------------------------------===//
#include "RegionTasks.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/PlanExport/PlanExport.h"
#include "kernelclaw/Synthesize/Synthesize.h"

#include <set>

using namespace mlir;
using namespace kclaw;

/// Of one region; a list for people.
constexpr size_t maxSourceLines = 32;

std::string kclaw::ptxArch(StringRef arch) { return arch.rtrim("a").str(); }

/// exportPlan; with `keep`, what goes wrong is a remark instead of an error.
static FailureOr<ExportedPlan>
tryExport(func::FuncOp function, const PlanExportOptions &options, bool keep) {
  if (!keep)
    return exportPlan(function, options);
  std::string reason;
  Location where = function.getLoc();
  FailureOr<ExportedPlan> plan;
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

/// Contractions by libraries at the policy's precision; nothing where there
/// are none, or where a library does not take what our own lowering does.
static std::optional<Plan> exportLibraryStock(func::FuncOp function,
                                              PlanExportOptions options,
                                              Policy policy) {
  options.library = policy == Policy::Torch    ? "torch"
                    : policy == Policy::Strict ? "strict"
                                               : "tf32";
  ScopedDiagnosticHandler quiet(function.getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<ExportedPlan> exported = exportPlan(function, options);
  if (failed(exported) || !hasLibrarySteps(exported->plan))
    return std::nullopt;
  return std::move(exported->plan);
}

/// The sizes that a worker judges at (Device/Problem.h).
static Bindings firstSamples(const KernelSpec &spec) {
  Bindings sizes;
  for (const TensorSpec &tensor : spec.arguments)
    for (const Dim &dim : tensor.dims)
      if (!dim.isStatic())
        sizes[dim.name] = dim.samples.empty() ? dim.max : dim.samples.front();
  return sizes;
}

/// Indices of all loops, however deep.
static void collectIndices(const std::vector<Step> &steps,
                           std::set<std::string> &names) {
  for (const Step &step : steps) {
    if (const auto *repeat = std::get_if<RepeatStep>(&step)) {
      names.insert(repeat->name);
      collectIndices(repeat->steps, names);
    }
    if (const auto *when = std::get_if<WhenStep>(&step))
      collectIndices(when->steps, names);
  }
}

std::string kclaw::whyNotEmbedded(const Plan &winner,
                                  const Bindings &dynamicSizes) {
  std::set<std::string> open;
  for (const auto &[name, size] : dynamicSizes)
    open.insert(name);
  std::string why;
  for (const auto *steps : {&winner.steps, &winner.prepare}) {
    collectIndices(*steps, open);
    forEachLeaf(*steps, "", [&](const std::string &, const Step &step) {
      const auto *kernel = std::get_if<KernelStep>(&step);
      if (!kernel)
        return;
      auto names = kernel->sharedBytes.names();
      for (const std::string &name : names.value_or(std::vector<std::string>()))
        if (open.contains(name))
          why = "a kernel was won, but its shared memory depends on " + name +
                ", and the limit is set when the module is loaded";
    });
  }
  return why;
}

/// Innermost frame of each op, in order; then of those regions that share the
/// function (their locations are fused into its own).
static std::vector<SourceLine> sourceLines(func::FuncOp function) {
  std::vector<SourceLine> lines;
  auto add = [&](FileLineColLoc where) {
    if (!where || lines.size() >= maxSourceLines)
      return;
    SourceLine line{where.getFilename().str(), where.getLine()};
    if (!llvm::is_contained(lines, line))
      lines.push_back(std::move(line));
  };
  function.getBody().walk([&](Operation *op) {
    bool computes = op->getNumOperands() && op->getNumResults();
    if (computes) // constants and the return are the region's, not the model's
      add(op->getLoc()->findInstanceOf<FileLineColLoc>());
  });
  if (auto fused = dyn_cast<FusedLoc>(function.getLoc()))
    for (Location part : fused.getLocations())
      add(part->findInstanceOf<FileLineColLoc>());
  return lines;
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
    FailureOr<ExportedPlan> stock =
        tryExport(function, exportOptions, opts.keepUnsupported);
    if (failed(stock) && opts.keepUnsupported)
      continue;
    if (failed(stock))
      return failure();
    RegionPlans &plans = result.plans[function.getSymName().str()];
    plans.stock.plan = stock->plan;
    plans.resultDims = std::move(stock->resultDims);
    if (region.getKind() == "residual")
      continue;
    if (std::string reason = whyStock(function); !reason.empty()) {
      result.kept.emplace_back(function, reason);
      continue;
    }
    std::optional<Plan> libraryStock =
        exportLibraryStock(function, exportOptions, opts.policy);
    exportOptions.producer = Producer::Reference;
    FailureOr<ExportedPlan> reference = exportPlan(function, exportOptions);
    FailureOr<KernelSpec> spec = buildKernelSpec(function, opts.policy);
    if (failed(reference) || failed(spec))
      return failure();
    plans.judgedSizes = firstSamples(*spec);
    result.tasks.push_back(
        {std::move(*spec), std::move(stock->plan), std::move(reference->plan)});
    result.tasks.back().libraryStock = std::move(libraryStock);
    result.tasks.back().lines = sourceLines(function);
    result.functions.push_back(function);
  }
  return result;
}
