//===- RunSetup.cpp - From options to a run -------------------------------===//
//
// Default folders, then provider, evaluator and store.
//
//===----------------------------------------------------------------------===//
#include "RunSetup.h"
#include "SearchId.h"

#include "kernelclaw/Expert/ExpertProvider.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace kclaw;

/// First of: the option, the environment, the folder of the build.
static std::string memorybankFolder(const std::string &option) {
  if (!option.empty())
    return option;
  if (const char *variable = std::getenv("KERNELCLAW_MEMORYBANK"))
    return variable;
  return KCLAW_MEMORYBANK_DIR;
}

static void setDefaultFolders(RunOptions &options) {
  AgentOptions &agent = options.agent;
  if (agent.runDirectory.empty())
    agent.runDirectory = (fs::temp_directory_path() /
                          ("kernelclaw-run-" + std::to_string(getpid())))
                             .string();
  fs::path run = agent.runDirectory;
  options.memorybank = memorybankFolder(options.memorybank);
  agent.promptDirectory = (fs::path(options.memorybank) / "prompts").string();
  agent.memorybank = options.memorybank;

  ProviderOptions &provider = options.provider;
  if (provider.kind == "replay")
    provider.directory = options.replay;
  else if (provider.directory.empty())
    provider.directory = (run / "exchange").string();
  EvaluatorOptions &evaluator = options.evaluator;
  if (evaluator.kind == "replay")
    evaluator.directory = options.replay;
  else if (evaluator.directory.empty())
    evaluator.directory = (run / "mailbox").string();
}

/// strategy=auto: what suits the provider. A replay follows its recording.
static std::string strategyFor(const RunOptions &options) {
  const std::string &kind = options.provider.kind;
  if (options.agent.strategy != "auto")
    return options.agent.strategy;
  if (kind == "replay")
    return recordedStrategy(options.replay);
  constexpr const char *models[] = {"openai", "anthropic", "command",
                                    "exchange"};
  return std::ranges::find(models, kind) == std::end(models) ? "greedy"
                                                             : "agent";
}

static Expected<void> checkRunDirectory(const RunOptions &options) {
  std::error_code code;
  const std::string &run = options.agent.runDirectory;
  if (!options.resume && fs::exists(run, code) && !fs::is_empty(run, code))
    return makeError(Error::Code::Invalid,
                     "run-dir '" + run +
                         "' is not empty and resume=false; "
                         "give another run-dir or resume=true");
  bool replays =
      options.provider.kind == "replay" || options.evaluator.kind == "replay";
  if (replays && !fs::is_directory(options.replay, code))
    return makeError(Error::Code::Invalid,
                     "replay needs replay=DIR, a recorded run directory; '" +
                         options.replay + "' is none");
  fs::create_directories(run, code);
  if (code)
    return makeError(Error::Code::Io,
                     "cannot create run-dir '" + run + "': " + code.message());
  return {};
}

/// Models by role and the table of prices.
static Expected<void> setModels(RunOptions &options) {
  ProviderOptions &provider = options.provider;
  if (!isPaid(provider.kind))
    return {};
  Expected<std::map<std::string, std::string>> models =
      parseRoleModels(options.roleModels);
  if (!models)
    return std::unexpected(models.error());
  provider.roleModels = std::move(*models);
  std::error_code code;
  fs::path table =
      options.prices.empty()
          ? fs::path(memorybankFolder(options.memorybank)) / "prices.json"
          : fs::path(options.prices);
  if (options.prices.empty() && !fs::exists(table, code))
    return {};
  Expected<std::map<std::string, Prices>> prices = loadPrices(table.string());
  if (!prices)
    return std::unexpected(prices.error());
  provider.prices = std::move(*prices);
  return {};
}

static std::string modelWithoutPrice(const ProviderOptions &provider) {
  for (const auto &[role, model] : provider.roleModels)
    if (!provider.pricesFor(role))
      return model;
  return provider.model;
}

/// A cap that nobody could keep is refused before the first call, and so is an
/// endpoint of unknown price without any cap.
static Expected<void> checkPrices(const RunOptions &options) {
  const ProviderOptions &provider = options.provider;
  const Budget &budget = options.agent.budget;
  if (!isPaid(provider.kind) || provider.hasPrices())
    return {};
  std::string unknown = "the price of model '" + modelWithoutPrice(provider) +
                        "' is not known; give usd-per-mtoken-in and "
                        "usd-per-mtoken-out (dollars for a million tokens, 0 "
                        "if it is free), add the model to prices, or use "
                        "max-tokens";
  if (budget.maxDollars > 0)
    return makeError(Error::Code::Invalid,
                     "max-usd cannot be kept: " + unknown);
  bool endpoint = provider.kind == "openai" || provider.kind == "anthropic";
  if (endpoint && budget.maxTokens <= 0)
    return makeError(Error::Code::Invalid,
                     "nothing limits what this run costs: " + unknown);
  return {};
}

/// Without an explicit cap a run that costs money stops at a dollar.
static void setDefaultCap(RunOptions &options) {
  Budget &budget = options.agent.budget;
  if (options.defaultDollarCap && budget.maxTokens <= 0 &&
      isPaid(options.provider.kind) && options.provider.hasPrices())
    budget.maxDollars = defaultMaxDollars;
}

/// Rates of the target, and the strategy's habits of asking.
static Expected<void> readEstimateData(const RunOptions &options,
                                       RunSetup &setup) {
  fs::path file = fs::path(options.memorybank) / "estimate.json";
  std::error_code code;
  if (!fs::exists(file, code)) // a bank of the user's own may do without
    return {};
  Expected<EstimateData> data = loadEstimateData(
      file.string(), options.agent.strategy, options.agent.arch);
  if (!data)
    return std::unexpected(data.error());
  setup.habits = data->habits;
  setup.agent.rates = data->rates;
  return {};
}

/// Endpoints answer many at once; what runs here is as wide as the workers.
static int jobsFor(const RunOptions &options, const Evaluator &evaluator) {
  const std::string &kind = options.provider.kind;
  if (options.agent.jobs > 0 || (kind != "openai" && kind != "anthropic"))
    return options.agent.jobs;
  return std::max(4, 2 * evaluator.parallelJobs());
}

Expected<RunSetup> kclaw::openRun(RunOptions options) {
  if (Expected<void> ok = setModels(options); !ok)
    return std::unexpected(ok.error());
  if (Expected<void> ok = checkPrices(options); !ok)
    return std::unexpected(ok.error());
  setDefaultCap(options);
  setDefaultFolders(options);
  options.agent.strategy = strategyFor(options);
  if (Expected<void> ok = checkRunDirectory(options); !ok)
    return std::unexpected(ok.error());

  RunSetup setup;
  setup.agent = options.agent;
  if (Expected<void> ok = readEstimateData(options, setup); !ok)
    return std::unexpected(ok.error());
  setup.spends =
      isPaid(options.provider.kind) && options.provider.kind != "exchange";
  Expected<std::unique_ptr<Provider>> provider =
      options.provider.kind == "expert"
          ? createExpertProvider(options.memorybank)
          : createProvider(options.provider);
  if (!provider)
    return std::unexpected(
        provider.error().context("provider=" + options.provider.kind));
  setup.provider = std::move(*provider);

  Expected<std::unique_ptr<Evaluator>> evaluator =
      createEvaluator(options.evaluator);
  if (!evaluator)
    return std::unexpected(
        evaluator.error().context("evaluator=" + options.evaluator.kind));
  setup.evaluator = std::move(*evaluator);
  setup.agent.jobs = jobsFor(options, *setup.evaluator);
  // Winners of the store need nobody who judges.
  setup.agent.compileOnly =
      options.evaluator.kind == "none" && options.provider.kind != "none";
  setup.agent.provider = options.provider.kind;
  if (!options.provider.model.empty())
    setup.agent.provider += " " + options.provider.model;

  if (options.store == "none")
    return setup;
  Expected<std::unique_ptr<Store>> store = openStore(options.store);
  if (!store)
    return std::unexpected(store.error().context("store"));
  setup.store = std::move(*store);
  setup.agent.searchId = searchId(options);
  return setup;
}
