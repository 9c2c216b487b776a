//===- Agent.cpp - A run, from its record to its summary ------------------===//
#include "kernelclaw/Agent/Agent.h"

#include "Ask.h"
#include "EvaluatorGate.h"
#include "Search.h"
#include "Summary.h"

namespace kclaw {
namespace {

Expected<Run> openRun(Provider &provider, Evaluator &evaluator, Store *store,
                      const AgentOptions &options) {
  auto prompts = Prompts::load(options.promptDirectory);
  if (!prompts)
    return std::unexpected(prompts.error());
  auto directory = RunDirectory::open(options);
  if (!directory)
    return std::unexpected(directory.error());
  std::shared_ptr<const Knowledge> knowledge;
  if (options.strategy != "greedy") {
    auto loaded = loadKnowledge(options, evaluator, store, directory->id());
    if (!loaded)
      return std::unexpected(loaded.error());
    knowledge = std::move(*loaded);
  }
  double secondsBefore = secondsSpent(directory->events().records());
  Run run{provider,
          evaluator,
          store,
          options,
          std::move(*prompts),
          std::move(*directory),
          Ledger(options.budget, secondsBefore),
          "",
          1,
          {},
          std::move(knowledge)};
  if (auto done = bookEarlierCalls(run); !done)
    return std::unexpected(done.error());
  return run;
}

/// docs/schema/run.schema.json
json::Json describe(const RegionTask &task) {
  json::Json lines = json::Json::array();
  for (const SourceLine &line : task.lines)
    lines.push_back({{"file", line.file}, {"line", line.line}});
  return {{"symbol", task.spec.symbol},
          {"specHash", task.spec.specHash},
          {"lines", std::move(lines)}};
}

json::Json describe(const RegionTask &task, const RegionOutcome &outcome) {
  static constexpr const char *names[] = {"won", "kept", "parked"};
  json::Json row = describe(task);
  row.update({{"status", names[int(outcome.status)]},
              {"verdict", verdict(outcome)},
              {"reason", outcome.reason},
              {"libraryStock", outcome.stock.library},
              {"fromStore", outcome.fromStore},
              {"speedup", json::number(outcome.evaluation.speedup)},
              {"evidence", name(outcome.evaluation.evidence)}});
  return row;
}

Expected<void> nameRegions(Run &run, const std::vector<RegionTask> &tasks) {
  json::Json regions = json::Json::array();
  for (const RegionTask &task : tasks)
    regions.push_back(describe(task));
  return run.directory.nameRegions(regions);
}

/// The last event: how the run ended, and what all of it cost.
Expected<void> tellEnd(Run &run, const char *event,
                       const std::string &message) {
  const Usage spent = run.ledger.spent();
  return run.directory.events().append(
      {{"event", event},
       {"message", message},
       {"inputTokens", spent.inputTokens},
       {"outputTokens", spent.outputTokens},
       {"dollars", json::number(spent.dollars)}});
}

Expected<void> closeRun(Run &run, const std::vector<RegionTask> &tasks,
                        const std::vector<RegionOutcome> &outcomes) {
  json::Json regions = json::Json::array();
  size_t parked = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    parked += outcomes[i].status == RegionOutcome::Status::Parked;
    regions.push_back(describe(tasks[i], outcomes[i]));
  }
  if (auto done = run.directory.recordRegions(regions); !done)
    return done;
  if (auto done = parked ? tellEnd(run, "run_parked",
                                   std::to_string(parked) + " regions wait")
                         : tellEnd(run, "run_finished", "");
      !done)
    return done;
  return run.directory.recordSummary(
      summarise(tasks, outcomes, orderNow(run, tasks), run.options.budget,
                run.directory.events().records()));
}

/// The record of a run that ends early; its own failures are not told.
void closeEarly(Run &run, const std::vector<RegionTask> &tasks,
                const Error &why) {
  (void)tellEnd(run, "run_interrupted", why.message);
  (void)run.directory.recordSummary(
      summarise(tasks, {}, orderNow(run, tasks), run.options.budget,
                run.directory.events().records()));
}

} // namespace

Expected<std::vector<RegionOutcome>>
optimizeRegions(const std::vector<RegionTask> &tasks, Provider &provider,
                Evaluator &evaluator, Store *store,
                const AgentOptions &options) {
  EvaluatorGate gate(evaluator, options);
  auto run = openRun(provider, gate, store, options);
  if (!run)
    return std::unexpected(run.error());
  if (auto named = nameRegions(*run, tasks); !named)
    return std::unexpected(named.error());
  auto weights = orderOnRecord(*run, tasks);
  if (!weights)
    return std::unexpected(weights.error());
  run->regions = weights->size();
  auto outcomes = searchRegions(*run, tasks, *weights);
  if (!outcomes) {
    closeEarly(*run, tasks, outcomes.error());
    return outcomes;
  }
  if (auto closed = closeRun(*run, tasks, *outcomes); !closed)
    return std::unexpected(closed.error());
  return outcomes;
}

} // namespace kclaw
