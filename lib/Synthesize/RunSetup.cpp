//===- RunSetup.cpp - From options to a run -------------------------------===//
//
// Default folders, then provider, evaluator and store.
//
//===----------------------------------------------------------------------===//
#include "RunSetup.h"
#include "SearchId.h"

#include "kernelclaw/Expert/ExpertProvider.h"

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

/// A cap that nobody could keep is refused before the first call.
static Expected<void> checkPrices(const RunOptions &options) {
  const ProviderOptions &provider = options.provider;
  if (options.agent.budget.maxDollars <= 0 || !isPaid(provider.kind) ||
      provider.hasPrices())
    return {};
  return makeError(Error::Code::Invalid,
                   "max-usd cannot be kept: the price of model '" +
                       provider.model +
                       "' is not known; give usd-per-mtoken-in and "
                       "usd-per-mtoken-out (dollars for a million tokens, 0 "
                       "if it is free), or use max-tokens");
}

Expected<RunSetup> kclaw::openRun(RunOptions options) {
  if (Expected<void> ok = checkPrices(options); !ok)
    return std::unexpected(ok.error());
  setDefaultFolders(options);
  if (Expected<void> ok = checkRunDirectory(options); !ok)
    return std::unexpected(ok.error());

  RunSetup setup;
  setup.agent = options.agent;
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
  setup.agent.compileOnly = options.evaluator.kind == "none";
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
