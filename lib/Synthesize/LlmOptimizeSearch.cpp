//===- LlmOptimizeSearch.cpp - The search for winners ---------------------===//
//
// Regions to the agent half, and its outcomes into remarks, counts and plans.
//
//===----------------------------------------------------------------------===//
#include "AbsentRegions.h"
#include "LlmOptimizePass.h"
#include "ReducedProblems.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kclaw;

FailureOr<Synthesis> LlmOptimize::synthesize(ModuleOp module) {
  FailureOr<RegionTasks> regions =
      collectRegionTasks(module, {askedPolicy(), arch, keepUnsupported});
  if (failed(regions))
    return failure();
  Expected<RunSetup> run = openRun(runOptions());
  if (!run)
    return refuse(module, run.error());
  describeRegions(module, regions->tasks, *run);
  if (isSimulated(run->evaluator->evidence()))
    addReducedProblems(*regions, {askedPolicy(), arch, keepUnsupported});
  if (failed(estimateFirst(module, *regions, *run)))
    return failure();
  Expected<std::vector<RegionOutcome>> outcomes =
      optimizeRegions(regions->tasks, *run->provider, *run->evaluator,
                      run->store.get(), run->agent);
  if (!outcomes)
    return refuse(module, outcomes.error());
  Synthesis found;
  for (auto [task, outcome] : llvm::zip(regions->tasks, *outcomes))
    if (outcome.status == RegionOutcome::Status::Won) {
      found.tf32 |=
          mayUseTf32(task.spec) && outcome.evaluation.precisionClass == "tf32";
      found.keys[task.spec.symbol] = {task.spec.specHash, arch,
                                      name(task.spec.policy),
                                      outcome.evaluation.evidence};
    }
  if (failed(settle(module, *regions, std::move(*outcomes), *run)))
    return failure();
  found.plans = std::move(regions->plans);
  found.run = std::move(*run);
  return found;
}

/// The store keeps what each hash stands for, for people and for its check.
void LlmOptimize::describeRegions(ModuleOp module,
                                  const std::vector<RegionTask> &tasks,
                                  RunSetup &run) {
  for (const RegionTask &task : tasks) {
    Expected<void> done =
        run.store ? run.store->describe(task.spec) : Expected<void>();
    if (done)
      continue;
    emitWarning(module.getLoc()) << "llm-optimize: " << done.error().message;
    return;
  }
}

/// With provider=none, what the store does not know is told at once.
LogicalResult LlmOptimize::reportAbsent(ModuleOp module,
                                        ArrayRef<std::string> absent,
                                        size_t regions) {
  // With store=none, stock is what was asked for.
  if (absent.empty() || (store == "none" && missing == "stock"))
    return success();
  std::string text = "llm-optimize: provider=none: the store has no kernel "
                     "for " +
                     std::to_string(absent.size()) + " of " +
                     std::to_string(regions) + " regions";
  std::string names = ": " + llvm::join(absent, "; ");
  if (missing == "error")
    return emitError(module.getLoc())
           << text << " and missing=error" << names
           << "; search with another provider, or kernelclaw-store import "
              "FILE";
  emitWarning(module.getLoc()) << text << ", which keep stock" << names;
  return success();
}

/// A remark and a count, or the error that missing=error asks for.
LogicalResult LlmOptimize::keepStock(func::FuncOp function, StringRef reason,
                                     RunReport &counts) {
  counts.kept += 1;
  emitRemark(function.getLoc())
      << function.getSymName() << ": keeps stock: " << reason;
  if (missing == "error" && provider != "none")
    return function.emitError()
           << function.getSymName()
           << ": no kernel was won and missing=error: " << reason;
  return success();
}

/// Books each outcome: a remark, the counts, the winner's plan and images.
LogicalResult LlmOptimize::settle(ModuleOp module, RegionTasks &regions,
                                  std::vector<RegionOutcome> outcomes,
                                  RunSetup &run) {
  RunReport counts;
  std::vector<std::string> absent;
  std::string waiting;
  bool budgetReached = false, degraded = false;
  for (const auto &[function, reason] : regions.kept)
    if (failed(keepStock(function, reason, counts)))
      return failure();
  for (auto [function, outcome, task] :
       llvm::zip(regions.functions, outcomes, regions.tasks)) {
    std::string symbol = function.getSymName().str();
    if (outcome.status == RegionOutcome::Status::Parked) {
      ++counts.parked;
      waiting = outcome.reason;
      continue;
    }
    budgetReached |= outcome.budgetReached;
    degraded |= outcome.degraded;
    bool won = outcome.status == RegionOutcome::Status::Won;
    RegionPlans &plans = regions.plans[symbol];
    // The better stock ships, whether or not anything won.
    if (task.libraryStock && outcome.stock.library) {
      plans.stock.plan = *task.libraryStock;
      applyChoices(plans.stock.plan, outcome.stock.choices);
    }
    if (std::string reason = whyNotEmbedded(outcome.plan, plans.judgedSizes);
        won && !reason.empty()) {
      won = false;
      outcome.reason = reason;
    }
    if (!won) {
      if (provider == "none" &&
          !(run.store && isSettledAsStock(*run.store, task.spec, run.agent)))
        absent.push_back(nameRegion(task.spec));
      if (failed(keepStock(function, outcome.reason, counts)))
        return failure();
      continue;
    }
    counts.won += 1;
    emitRemark(function.getLoc()) << symbol << ": won: " << outcome.reason;
    plans.winner = CompiledPlan{std::move(outcome.plan),
                                std::move(outcome.evaluation.images)};
  }
  if (failed(reportAbsent(module, absent, regions.tasks.size())))
    return failure();
  if (degraded)
    counts.exitCode = ExitCode::Degraded;
  else if (budgetReached)
    counts.exitCode = ExitCode::Budget;
  if (report)
    *report = counts;
  if (counts.parked == 0)
    return success();
  if (report)
    report->exitCode = ExitCode::Parked;
  return emitError(module.getLoc())
         << "llm-optimize: parked: " << counts.parked
         << " region(s) wait for outside answers (" << waiting
         << "); run the same command again to go on";
}
