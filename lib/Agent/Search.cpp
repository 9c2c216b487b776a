//===- Search.cpp - All regions of a run ----------------------------------===//
#include "Search.h"

#include "EvaluatorGate.h"
#include "KeptRecord.h"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace kclaw {
namespace {

class Search {
public:
  Search(Run &run, const std::vector<RegionTask> &tasks,
         const std::vector<RegionWeight> &weights)
      : run(run), tasks(tasks), weights(weights), outcomes(tasks.size()) {}

  Expected<std::vector<RegionOutcome>> go() {
    int wanted =
        run.options.jobs > 0 ? run.options.jobs : run.evaluator.parallelJobs();
    size_t threads = std::min<size_t>(std::max(1, wanted), weights.size());
    Progress progress(run.options.progress, stderr, run.ledger,
                      run.options.budget, weights.size());
    run.progress = &progress;
    run.ledger.share(parts());
    for (const RegionWeight &weight : weights)
      queue.push_back(weight.task);
    auto done = workAll(threads);
    if (done)
      done = workOnWhatIsLeft();
    run.progress = nullptr;
    if (!done)
      return std::unexpected(done.error());
    return collect();
  }

private:
  std::map<std::string, double> parts() const {
    std::map<std::string, double> parts;
    if (weights.size() > 1)
      for (const RegionWeight &weight : weights)
        parts[hash(weight.task)] = weight.weight;
    return parts;
  }

  /// Regions that their share ended go on with what the others left over.
  Expected<void> workOnWhatIsLeft() {
    queue.clear();
    next = 0;
    for (const RegionWeight &weight : weights)
      if (run.ledger.shareReached(hash(weight.task)))
        queue.push_back(weight.task);
    run.ledger.share({});
    return workAll(1);
  }

  Expected<void> workAll(size_t threads) {
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
    if (isCancelled(run.options))
      return makeError(Error::Code::Unavailable,
                       "interrupted; winners so far are in the store, and the "
                       "same command goes on where this one ended");
    if (failure)
      return std::unexpected(*failure);
    return {};
  }

  void work() {
    while (!failure && !isCancelled(run.options) && next < queue.size()) {
      size_t i = queue[next++];
      std::string label = "[" + std::to_string(i + 1) + "/" +
                          std::to_string(tasks.size()) + "] " +
                          hash(i).substr(0, 8);
      run.progress->start(label);
      auto outcome = one(i, label);
      if (outcome) {
        run.progress->finish(label, *outcome);
        outcomes[i] = std::move(*outcome);
      } else if (!failure) {
        failure = outcome.error();
        run.broken = failure->message; // ends the other regions soon
      }
    }
  }

  Expected<RegionOutcome> one(size_t i, const std::string &label) {
    auto weight = std::ranges::find(weights, i, &RegionWeight::task);
    if (!weight->atRoofline(run.options.minSpeedup) ||
        run.directory.attempt(hash(i), 1).exists() ||
        RegionStore(run, tasks[i]).find())
      return optimizeRegion(run, tasks[i], label);
    RegionOutcome outcome;
    char text[160];
    std::snprintf(text, sizeof(text),
                  "stock is at the roofline: measured %.2f us, no kernel can "
                  "take less than %.2f us; nothing was asked",
                  weight->stockMicroseconds, weight->boundMicroseconds);
    outcome.reason = text;
    run.progress->note(label, std::string("kept: ") + text);
    return outcome;
  }

  std::vector<RegionOutcome> collect() {
    std::map<std::string, size_t> firstOf;
    std::vector<RegionOutcome> all;
    for (size_t i = 0; i < tasks.size(); ++i)
      all.push_back(*outcomes[firstOf.try_emplace(hash(i), i).first->second]);
    return all;
  }

  const std::string &hash(size_t task) const {
    return tasks[task].spec.specHash;
  }

  Run &run;
  const std::vector<RegionTask> &tasks;
  const std::vector<RegionWeight> &weights;
  std::vector<size_t> queue;
  size_t next = 0;
  std::vector<std::optional<RegionOutcome>> outcomes;
  std::optional<Error> failure;
};

} // namespace

StockTimes storedStock(Store *store, Evidence evidence,
                       const AgentOptions &options,
                       const std::vector<RegionTask> &tasks) {
  StockTimes times;
  if (!store || evidence != Evidence::Measured)
    return times;
  for (const RegionTask &task : tasks) {
    auto entry =
        store->find({task.spec.specHash, options.arch, name(task.spec.policy),
                     Evidence::Measured, evaluatorRulesVersion});
    if (!entry || !*entry)
      continue;
    double stock = (*entry)->won
                       ? (*entry)->evaluation.stockTime.medianMicroseconds
                       : keptStock(**entry);
    if (stock > 0)
      times[task.spec.specHash] = stock;
  }
  return times;
}

Expected<std::vector<RegionWeight>>
orderOnRecord(Run &run, const std::vector<RegionTask> &tasks) {
  EventLog &log = run.directory.events();
  StockTimes times;
  bool ordered = false;
  for (const json::Json &event : log.records()) {
    if (textIn(event, "event") != "region_ordered")
      continue;
    ordered = true;
    if (double stock = numberIn(event, "stockMicroseconds"); stock > 0)
      times[textIn(event, "specHash")] = stock;
  }
  if (!ordered)
    times =
        storedStock(run.store, run.evaluator.evidence(), run.options, tasks);
  auto weights = orderRegions(tasks, run.options.rates, times);
  for (const RegionWeight &weight : weights) {
    json::Json event{{"event", "region_ordered"},
                     {"specHash", tasks[weight.task].spec.specHash},
                     {"timeShare", json::number(weight.timeShare)},
                     {"headroom", json::number(weight.headroom)}};
    if (weight.measured)
      event["stockMicroseconds"] = json::number(weight.stockMicroseconds);
    if (auto told = log.appendOnce(std::move(event)); !told)
      return std::unexpected(told.error());
  }
  return weights;
}

std::vector<RegionWeight> orderNow(const Run &run,
                                   const std::vector<RegionTask> &tasks) {
  StockTimes times;
  for (const json::Json &event : run.directory.events().records())
    if (double stock = numberIn(event, "stockMicroseconds"); stock > 0)
      times[textIn(event, "specHash")] = stock;
  return orderRegions(tasks, run.options.rates, times);
}

Expected<std::vector<RegionOutcome>>
searchRegions(Run &run, const std::vector<RegionTask> &tasks,
              const std::vector<RegionWeight> &weights) {
  return Search(run, tasks, weights).go();
}

} // namespace kclaw
