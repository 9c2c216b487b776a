//===- LlmOptimize.cpp - The whole pipeline as one pass -------------------===//
//
// import, outline, synthesize, embed, lower; stop-after ends it early.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Synthesize/LlmOptimize.h"

#include "AcceptedValues.h"
#include "CpuFallback.h"
#include "ModuleRecords.h"
#include "RegionTasks.h"
#include "RunSetup.h"
#include "Sidecar.h"
#include "VerifyModule.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Outline/DimNames.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/PlanExport/PlanExport.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;

namespace kclaw {
#define GEN_PASS_DECL_LLMOPTIMIZE
#define GEN_PASS_DEF_LLMOPTIMIZE
#include "kernelclaw/Synthesize/LlmOptimize.h.inc"
} // namespace kclaw

using namespace kclaw;

namespace {

enum class Stage { Import, Outline, Synthesize, Embed, Lower };

/// What the search left: the plans to embed, and what the run keeps open.
struct Synthesis {
  std::map<std::string, RegionPlans> plans;
  std::map<std::string, StoreKey> keys; ///< of the winners, by symbol
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
  LogicalResult embed(ModuleOp module, const Synthesis &found);
  LogicalResult finish(ModuleOp module, ModuleOp imported, Synthesis &found);
  LogicalResult verifyWhole(ModuleOp module, ModuleOp imported,
                            ModuleOp outlined, Synthesis &found);
  std::string whyUnverified() const;
  LogicalResult dropWinners(ModuleOp outlined, Verification &verification,
                            Synthesis &found);
  LogicalResult recordUnverified(ModuleOp module, const Synthesis &found,
                                 const std::string &reason);
  LogicalResult settle(ModuleOp module, RegionTasks &regions,
                       std::vector<RegionOutcome> outcomes);
  RunOptions runOptions() const;
  SmallVector<const llvm::cl::opt<std::string> *> textOptions() const {
    return {&provider,  &model,   &baseUrl,     &evaluator,   &launcher,
            &device,    &arch,    &policy,      &granularity, &accept,
            &verify,    &missing, &graph,       &strategy,    &store,
            &runDir,    &replay,  &exchangeDir, &mailboxDir,  &memorybank,
            &stopAfter, &sidecar};
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

} // namespace

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

static Policy parsePolicy(StringRef text) {
  return llvm::StringSwitch<Policy>(text)
      .Case("strict", Policy::Strict)
      .Case("tf32", Policy::Tf32)
      .Case("loose", Policy::Loose)
      .Default(Policy::Torch);
}

LogicalResult LlmOptimize::optimize(ModuleOp module) {
  if (failed(checkValues(module)) || failed(applySidecar(module, sidecar)))
    return failure();
  Stage last = lastStage();
  if (last == Stage::Import)
    return success();
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
  if (last == Stage::Embed)
    return embed(module, *found);
  if (failed(finish(module, *imported, *found)))
    return failure();
  return cpuFallback ? cpu.addTo(module, std::move(imported)) : success();
}

/// All options, read off the text of a pass that has its defaults.
static std::string optionNames() {
  std::string text, names;
  llvm::raw_string_ostream os(text);
  createLlmOptimizePass()->printAsTextualPipeline(os);
  for (StringRef word : llvm::split(StringRef(text), ' ')) {
    StringRef name = word.split('=').first;
    names +=
        (names.empty() ? "" : ", ") + name.substr(name.find('{') + 1).str();
  }
  return names;
}

LogicalResult LlmOptimize::embed(ModuleOp module, const Synthesis &found) {
  if (failed(embedPlans(module, found.plans)))
    return failure();
  if (graph == "auto")
    module->setAttr(graphAttrName, UnitAttr::get(module.getContext()));
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

LogicalResult LlmOptimize::recordUnverified(ModuleOp module,
                                            const Synthesis &found,
                                            const std::string &reason) {
  Verification verification;
  verification.reason = reason;
  Expected<void> done =
      recordVerification(found.run.agent.runDirectory, verification);
  if (done)
    return success();
  return emitError(module.getLoc()) << "llm-optimize: " << done.error().message;
}

/// Why the whole module is not judged now; empty when it is.
std::string LlmOptimize::whyUnverified() const {
  if (verify == "none")
    return "verify=none";
  if (!launcher.empty())
    return "launcher: its device is elsewhere";
  return evaluator == "local" ? ""
                              : "evaluator=" + evaluator +
                                    " judges on no device of this machine";
}

/// The check of the whole lowered module (verify=module): what it must compute
/// is recorded in any case, for kernelclaw-run --verify.
LogicalResult LlmOptimize::verifyWhole(ModuleOp module, ModuleOp imported,
                                       ModuleOp outlined, Synthesis &found) {
  if (verify == "none")
    return recordUnverified(module, found, whyUnverified());
  ModuleRecord record =
      recordModule(imported, outlined, {parsePolicy(policy), arch, seed});
  std::string folder = found.run.agent.runDirectory + "/verify";
  Expected<std::vector<std::string>> files = writeRecords(record, folder);
  if (!files)
    return emitError(module.getLoc())
           << "llm-optimize: " << files.error().message;
  if (report)
    report->verifyRecord = toJson(record);
  if (std::string reason = whyUnverified(); !reason.empty()) {
    // With evaluator=none there is no winner that could be wrong.
    if (evaluator != "none")
      emitWarning(module.getLoc())
          << "llm-optimize: the module as a whole is unverified: " << reason
          << "; kernelclaw-run OUT --verify does it on one with a GPU";
    return recordUnverified(module, found, reason);
  }
  found.run.evaluator.reset(); // its worker holds device memory
  FailureOr<Verification> verification = verifyLowered(
      module, outlined, found.plans, *files,
      {folder, [this](ModuleOp embedded) {
         if (graph == "auto")
           embedded->setAttr(graphAttrName,
                             UnitAttr::get(embedded.getContext()));
         return lower(embedded, TargetDevice::Cuda);
       }});
  if (failed(verification)) {
    Verification wrong;
    wrong.status = VerifyStatus::Failed;
    wrong.reason = "the module is wrong without any winner";
    (void)recordVerification(found.run.agent.runDirectory, wrong);
    return failure();
  }
  return dropWinners(outlined, *verification, found);
}

/// Books the check: warnings, the store, the run's record, the exit code.
LogicalResult LlmOptimize::dropWinners(ModuleOp outlined,
                                       Verification &verification,
                                       Synthesis &found) {
  for (DroppedWinner &winner : verification.dropped) {
    const StoreKey &key = found.keys.at(winner.symbol);
    winner.specHash = key.specHash;
    emitWarning(outlined.lookupSymbol(winner.symbol)->getLoc())
        << winner.symbol << ": its winner makes the whole module wrong and is "
        << "dropped: " << winner.reason;
    if (!found.run.store)
      continue;
    StoreKey repeatable = key; // where deterministic=true looks first
    repeatable.policy += " deterministic";
    for (const StoreKey &where : {key, repeatable}) {
      Expected<void> done = found.run.store->refute(
          where, found.plans.at(winner.symbol).winner->plan, winner.reason);
      if (!done)
        return emitError(outlined.getLoc())
               << "llm-optimize: " << done.error().message;
    }
  }
  bool unverified = verification.status == VerifyStatus::Unverified;
  if (unverified)
    emitWarning(outlined.getLoc())
        << "llm-optimize: the module as a whole is unverified: "
        << verification.reason;
  if (report && (unverified || !verification.dropped.empty())) {
    report->exitCode = ExitCode::Degraded;
    report->won -= verification.dropped.size();
    report->kept += verification.dropped.size();
  }
  Expected<void> done =
      recordVerification(found.run.agent.runDirectory, verification);
  if (done)
    return success();
  return emitError(outlined.getLoc())
         << "llm-optimize: " << done.error().message;
}

/// An unknown option is answered with all options that there are.
LogicalResult LlmOptimize::initializeOptions(
    StringRef options,
    function_ref<LogicalResult(const Twine &)> errorHandler) {
  return LlmOptimizeBase::initializeOptions(options, [&](const Twine &message) {
    // MLIR prints what is wrong with a value itself and hands on no text.
    std::string text = StringRef(message.str()).trim().str();
    if (text.empty())
      text = "a value in '" + options.str() + "' is not valid";
    return errorHandler("llm-optimize: " + text +
                        "; options: " + optionNames() +
                        " (kernelclaw-opt --help explains them)");
  });
}

/// Checks every text option against the values that its own help names.
LogicalResult LlmOptimize::checkValues(ModuleOp module) {
  for (const auto *option : textOptions()) {
    SmallVector<StringRef> accepted = acceptedValues(option->HelpStr);
    if (!accepted.empty() &&
        !llvm::is_contained(accepted, StringRef(option->getValue())))
      return emitError(module.getLoc())
             << "llm-optimize: " << option->ArgStr << " is '"
             << option->getValue()
             << "'; accepted: " << llvm::join(accepted, ", ");
  }
  const std::pair<double, StringRef> caps[] = {
      {maxUsd, "max-usd"},
      {double(maxTokens), "max-tokens"},
      {maxSeconds, "max-seconds"},
      {maxGpuSeconds, "max-gpu-seconds"}};
  for (auto [value, name] : caps)
    if (!std::isfinite(value) || value < 0)
      return emitError(module.getLoc())
             << "llm-optimize: " << name << " is " << value
             << "; 0 (no cap) or a positive number is needed";
  if (maxAttempts < 1)
    return emitError(module.getLoc())
           << "llm-optimize: max-attempts is " << maxAttempts.getValue()
           << "; at least 1 is needed";
  // An option that would be ignored is refused: nobody shall believe in a check
  // that did not run.
  const std::pair<bool, StringRef> unsupported[] = {
      {keepUnsupported && device == "cpu", "keep-unsupported with device=cpu"}};
  for (auto [asked, what] : unsupported)
    if (asked)
      return emitError(module.getLoc())
             << "llm-optimize: " << what
             << " is not supported yet; leave it out";
  return success();
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

/// The options' way to say that a price is not known is a negative number.
static std::optional<double> priceOption(double dollars) {
  return dollars < 0 ? std::nullopt : std::optional(dollars);
}

RunOptions LlmOptimize::runOptions() const {
  RunOptions run;
  run.provider = {.kind = provider,
                  .model = model,
                  .baseUrl = baseUrl,
                  .directory = exchangeDir};
  run.provider.inputDollarsPerMillion = priceOption(usdPerMtokenIn);
  run.provider.outputDollarsPerMillion = priceOption(usdPerMtokenOut);
  run.evaluator = {.kind = evaluator,
                   .device = device,
                   .directory = mailboxDir,
                   .workerPath = "",
                   .launcher = launcher};
  run.agent.runDirectory = runDir;
  run.agent.arch = arch;
  run.agent.budget = {static_cast<int>(maxAttempts), maxTokens, maxUsd,
                      maxSeconds, maxGpuSeconds};
  run.agent.seed = seed;
  run.agent.deterministic = deterministic;
  run.agent.acceptSimulated = accept == "simulated";
  run.agent.progress = progress;
  run.memorybank = memorybank;
  run.replay = replay;
  run.store = store;
  run.resume = resume;
  return run;
}

FailureOr<Synthesis> LlmOptimize::synthesize(ModuleOp module) {
  FailureOr<RegionTasks> regions =
      collectRegionTasks(module, {parsePolicy(policy), arch, keepUnsupported});
  if (failed(regions))
    return failure();
  Expected<RunSetup> run = openRun(runOptions());
  if (!run)
    return emitError(module.getLoc())
           << "llm-optimize: " << run.error().message;
  Expected<std::vector<RegionOutcome>> outcomes =
      optimizeRegions(regions->tasks, *run->provider, *run->evaluator,
                      run->store.get(), run->agent);
  if (!outcomes)
    return emitError(module.getLoc())
           << "llm-optimize: " << outcomes.error().message;
  Synthesis found;
  for (auto [task, outcome] : llvm::zip(regions->tasks, *outcomes))
    if (outcome.status == RegionOutcome::Status::Won)
      found.keys[task.spec.symbol] = {task.spec.specHash, arch,
                                      name(task.spec.policy),
                                      outcome.evaluation.evidence};
  if (failed(settle(module, *regions, std::move(*outcomes))))
    return failure();
  found.plans = std::move(regions->plans);
  found.run = std::move(*run);
  return found;
}

/// A remark and a count, or the error that missing=error asks for.
LogicalResult LlmOptimize::keepStock(func::FuncOp function, StringRef reason,
                                     RunReport &counts) {
  counts.kept += 1;
  emitRemark(function.getLoc())
      << function.getSymName() << ": keeps stock: " << reason;
  if (missing == "error")
    return function.emitError()
           << function.getSymName()
           << ": no kernel was won and missing=error: " << reason;
  return success();
}

/// Books each outcome: a remark, the counts, the winner's plan and images.
LogicalResult LlmOptimize::settle(ModuleOp module, RegionTasks &regions,
                                  std::vector<RegionOutcome> outcomes) {
  RunReport counts;
  std::string waiting;
  bool budgetReached = false, degraded = false;
  for (const auto &[function, reason] : regions.kept)
    if (failed(keepStock(function, reason, counts)))
      return failure();
  for (auto [function, outcome] : llvm::zip(regions.functions, outcomes)) {
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
    if (std::string reason = whyNotEmbedded(outcome.plan, plans.judgedSizes);
        won && !reason.empty()) {
      won = false;
      outcome.reason = reason;
    }
    if (!won) {
      if (failed(keepStock(function, outcome.reason, counts)))
        return failure();
      continue;
    }
    counts.won += 1;
    emitRemark(function.getLoc()) << symbol << ": won: " << outcome.reason;
    plans.winner = CompiledPlan{std::move(outcome.plan),
                                std::move(outcome.evaluation.images)};
  }
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

std::unique_ptr<Pass> kclaw::createLlmOptimizePass(RunReport *report) {
  return std::make_unique<LlmOptimize>(report);
}

void kclaw::registerLlmOptimizePass(RunReport *report) {
  if (!PassInfo::lookup("llm-optimize"))
    registerPass([report] { return createLlmOptimizePass(report); });
}
