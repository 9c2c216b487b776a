//===- LlmOptimizeOptions.cpp - What was asked ----------------------------===//
//
// The options' values against their accepted ones, and what the agent half gets
// of them.
//
//===----------------------------------------------------------------------===//
#include "AcceptedValues.h"
#include "LlmOptimizePass.h"

#include "kernelclaw/PlanExport/Architectures.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace kclaw;

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
  if (failed(checkArchitecture(module.getLoc(), "llm-optimize: arch", arch)))
    return failure();
  const std::pair<double, StringRef> caps[] = {
      {maxUsd == -1 ? 0 : double(maxUsd), "max-usd"},
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
  if (workers < 0 || workers > 64)
    return emitError(module.getLoc())
           << "llm-optimize: workers is " << workers.getValue()
           << "; accepted: 0 (one for each GPU) to 64";
  if (!(callSeconds > 0))
    return emitError(module.getLoc())
           << "llm-optimize: call-seconds is " << callSeconds.getValue()
           << "; a positive number is needed";
  if (jobs < 0 || jobs > 256)
    return emitError(module.getLoc())
           << "llm-optimize: jobs is " << jobs.getValue()
           << "; accepted: 0 (chosen by workers and provider) to 256";
  const std::pair<int64_t, StringRef> widths[] = {{seeds, "seeds"},
                                                  {beam, "beam"}};
  for (auto [value, name] : widths)
    if (value < 1 || value > 16)
      return emitError(module.getLoc()) << "llm-optimize: " << name << " is "
                                        << value << "; accepted: 1 to 16";
  // An option that would be ignored is refused: nobody shall believe in a check
  // that did not run.
  if (!estimate && !estimateText.empty())
    return emitError(module.getLoc())
           << "llm-optimize: estimate-text needs estimate=true";
  const std::pair<bool, StringRef> unsupported[] = {
      {keepUnsupported && device == "cpu", "keep-unsupported with device=cpu"}};
  for (auto [asked, what] : unsupported)
    if (asked)
      return emitError(module.getLoc())
             << "llm-optimize: " << what
             << " is not supported yet; leave it out";
  return success();
}

Policy LlmOptimize::askedPolicy() const {
  return llvm::StringSwitch<Policy>(policy.getValue())
      .Case("strict", Policy::Strict)
      .Case("tf32", Policy::Tf32)
      .Case("loose", Policy::Loose)
      .Default(Policy::Torch);
}

static ProgressKind progressKind(StringRef text) {
  return llvm::StringSwitch<ProgressKind>(text)
      .Cases({"none", "false"}, ProgressKind::None)
      .Case("plain", ProgressKind::Plain)
      .Case("live", ProgressKind::Live)
      .Case("json", ProgressKind::Json)
      .Default(ProgressKind::Auto);
}

/// The options' way to say that a price is not known is a negative number.
static std::optional<double> priceOption(double dollars) {
  return dollars < 0 ? std::nullopt : std::optional(dollars);
}

RunOptions LlmOptimize::runOptions() const {
  RunOptions run;
  run.provider = {.kind = provider,
                  .api = api,
                  .model = model,
                  .baseUrl = baseUrl,
                  .keyVariable = keyVariable,
                  .headers = splitHeaders(header),
                  .reasoningEffort = reasoningEffort == "default"
                                         ? ""
                                         : reasoningEffort.getValue(),
                  .stream = stream,
                  .command = command,
                  .directory = exchangeDir};
  run.provider.timeoutSeconds = callSeconds;
  run.roleModels = roleModels;
  run.prices = prices;
  run.provider.inputDollarsPerMillion = priceOption(usdPerMtokenIn);
  run.provider.outputDollarsPerMillion = priceOption(usdPerMtokenOut);
  run.evaluator = {.kind = evaluator,
                   .device = device,
                   .directory = mailboxDir,
                   .workerPath = "",
                   .launcher = launcher,
                   .workers = static_cast<int>(workers)};
  run.agent.runDirectory = runDir;
  run.agent.arch = arch;
  run.agent.budget = {static_cast<int>(maxAttempts), maxTokens,
                      std::max(0.0, double(maxUsd)), maxSeconds, maxGpuSeconds};
  run.defaultDollarCap = maxUsd < 0;
  run.agent.jobs = static_cast<int>(jobs);
  if (report)
    run.provider.cancelled = run.agent.cancelled = report->cancelled;
  run.agent.seed = seed;
  run.agent.strategy = strategy;
  run.agent.seeds = static_cast<int>(seeds);
  run.agent.beam = static_cast<int>(beam);
  run.agent.deterministic = deterministic;
  run.agent.acceptSimulated = accept == "simulated";
  run.agent.progress = progressKind(progress);
  run.memorybank = memorybank;
  run.replay = replay;
  run.store = store;
  run.resume = resume;
  return run;
}
