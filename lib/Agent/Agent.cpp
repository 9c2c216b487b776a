//===- Agent.cpp - All regions of a run -----------------------------------===//
#include "kernelclaw/Agent/Agent.h"

#include "RegionLoop.h"

namespace kclaw {
namespace {

json::Json summarise(const RegionTask &task, const RegionOutcome &outcome) {
  constexpr const char *names[] = {"won", "kept", "parked"};
  return {{"symbol", task.spec.symbol},
          {"specHash", task.spec.specHash},
          {"status", names[int(outcome.status)]},
          {"reason", outcome.reason},
          {"fromStore", outcome.fromStore},
          {"speedup", json::number(outcome.evaluation.speedup)},
          {"evidence", name(outcome.evaluation.evidence)}};
}

Expected<Run> openRun(Provider &provider, Evaluator &evaluator, Store *store,
                      const AgentOptions &options) {
  auto prompts = Prompts::load(options.promptDirectory);
  if (!prompts)
    return std::unexpected(prompts.error());
  auto directory = RunDirectory::open(options);
  if (!directory)
    return std::unexpected(directory.error());
  double secondsBefore = secondsSpent(directory->events().records());
  return Run{provider,
             evaluator,
             store,
             options,
             std::move(*prompts),
             std::move(*directory),
             Ledger(options.budget, secondsBefore),
             ""};
}

Expected<void> closeRun(Run &run, const json::Json &regions, size_t parked) {
  if (auto done = run.directory.recordSummary(regions); !done)
    return done;
  const Usage &spent = run.ledger.spent();
  return run.directory.events().append(
      {{"event", parked ? "run_parked" : "run_finished"},
       {"message", parked ? std::to_string(parked) + " regions wait" : ""},
       {"inputTokens", spent.inputTokens},
       {"outputTokens", spent.outputTokens},
       {"dollars", json::number(spent.dollars)}});
}

} // namespace

Expected<std::vector<RegionOutcome>>
optimizeRegions(const std::vector<RegionTask> &tasks, Provider &provider,
                Evaluator &evaluator, Store *store,
                const AgentOptions &options) {
  auto run = openRun(provider, evaluator, store, options);
  if (!run)
    return std::unexpected(run.error());
  std::vector<RegionOutcome> outcomes;
  std::map<std::string, size_t> done; // equal regions are worked on once
  json::Json regions = json::Json::array();
  size_t parked = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const std::string &hash = tasks[i].spec.specHash;
    auto [it, isNew] = done.try_emplace(hash, i);
    if (!isNew) {
      outcomes.push_back(RegionOutcome(outcomes[it->second]));
    } else {
      std::string label = "[" + std::to_string(i + 1) + "/" +
                          std::to_string(tasks.size()) + "] " +
                          hash.substr(0, 8);
      auto outcome = optimizeRegion(*run, tasks[i], label);
      if (!outcome)
        return std::unexpected(outcome.error());
      outcomes.push_back(std::move(*outcome));
    }
    parked += outcomes.back().status == RegionOutcome::Status::Parked;
    regions.push_back(summarise(tasks[i], outcomes.back()));
  }
  if (auto closed = closeRun(*run, regions, parked); !closed)
    return std::unexpected(closed.error());
  return outcomes;
}

} // namespace kclaw
