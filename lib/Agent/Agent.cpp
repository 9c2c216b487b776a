//===- Agent.cpp - All regions of a run -----------------------------------===//
#include "kernelclaw/Agent/Agent.h"

#include "RegionLoop.h"

#include <algorithm>
#include <thread>

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

namespace {

/// Works on every different region once; with several workers on several at a
/// time. Their outcomes, by the first task of each.
class Search {
public:
  Search(Run &run, const std::vector<RegionTask> &tasks)
      : run(run), tasks(tasks), outcomes(tasks.size()) {
    std::map<std::string, size_t> seen;
    for (size_t i = 0; i < tasks.size(); ++i) {
      firstOf.push_back(
          seen.try_emplace(tasks[i].spec.specHash, i).first->second);
      if (firstOf[i] == i)
        queue.push_back(i);
    }
  }

  Expected<std::vector<RegionOutcome>> go() {
    size_t threads =
        std::min<size_t>(run.evaluator.parallelJobs(), queue.size());
    if (threads <= 1) {
      work();
    } else {
      Turn turn;
      run.turn = &turn;
      std::vector<std::jthread> workers;
      for (size_t i = 0; i < threads; ++i)
        workers.emplace_back([this, &turn] {
          turn.take();
          work();
          turn.pass();
        });
      workers.clear();
      run.turn = nullptr;
    }
    if (failure)
      return std::unexpected(*failure);
    std::vector<RegionOutcome> all;
    for (size_t first : firstOf)
      all.push_back(*outcomes[first]);
    return all;
  }

private:
  void work() {
    while (!failure && next < queue.size()) {
      size_t i = queue[next++];
      std::string label = "[" + std::to_string(i + 1) + "/" +
                          std::to_string(tasks.size()) + "] " +
                          tasks[i].spec.specHash.substr(0, 8);
      auto outcome = optimizeRegion(run, tasks[i], label);
      if (outcome) {
        outcomes[i] = std::move(*outcome);
      } else if (!failure) {
        failure = outcome.error();
        run.broken = failure->message; // ends the other regions soon
      }
    }
  }

  Run &run;
  const std::vector<RegionTask> &tasks;
  std::vector<size_t> firstOf; ///< the first task with the same region
  std::vector<size_t> queue;
  size_t next = 0;
  std::vector<std::optional<RegionOutcome>> outcomes;
  std::optional<Error> failure;
};

} // namespace

Expected<std::vector<RegionOutcome>>
optimizeRegions(const std::vector<RegionTask> &tasks, Provider &provider,
                Evaluator &evaluator, Store *store,
                const AgentOptions &options) {
  auto run = openRun(provider, evaluator, store, options);
  if (!run)
    return std::unexpected(run.error());
  auto outcomes = Search(*run, tasks).go();
  if (!outcomes)
    return outcomes;
  json::Json regions = json::Json::array();
  size_t parked = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    parked += (*outcomes)[i].status == RegionOutcome::Status::Parked;
    regions.push_back(summarise(tasks[i], (*outcomes)[i]));
  }
  if (auto closed = closeRun(*run, regions, parked); !closed)
    return std::unexpected(closed.error());
  return outcomes;
}

} // namespace kclaw
