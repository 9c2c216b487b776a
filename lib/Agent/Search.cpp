//===- Search.cpp - All regions of a run ----------------------------------===//
#include "Search.h"

#include "EvaluatorGate.h"
#include "KeptRecord.h"
#include "Rounds.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <thread>

namespace kclaw {
namespace {

/// A different region of the module.
struct Region {
  const RegionWeight &weight;
  const RegionTask &task;
  std::string label;
  RegionSearch search;
  std::optional<RegionOutcome> outcome = {};
  bool underWay = false; ///< a thread works on it
  bool needsAll = false; ///< Prospect::needsAll
  int waited = 0;        ///< rounds that others were worth more

  Region(Run &run, const RegionWeight &weight, const RegionTask &task,
         const std::string &label)
      : weight(weight), task(task), label(label), search(run, task, label) {}
};

std::string describeIndex(double index, CostUnit unit) {
  static constexpr const char *units[] = {"an attempt", "1000 tokens", "$1"};
  char text[80];
  std::snprintf(text, sizeof(text), "%.3g us for %s",
                unit == CostUnit::Tokens ? 1000 * index : index,
                units[int(unit)]);
  return text;
}

class Search {
public:
  Search(Run &run, const std::vector<RegionTask> &tasks,
         const std::vector<RegionWeight> &weights)
      : run(run), tasks(tasks), unit(costUnit(run.provider)) {
    for (const RegionWeight &weight : weights) {
      std::string label = "[" + std::to_string(weight.task + 1) + "/" +
                          std::to_string(tasks.size()) + "] " +
                          hash(weight.task).substr(0, 8);
      regions.emplace_back(run, weight, tasks[weight.task], label);
      hashes.push_back(hash(weight.task));
    }
  }

  Expected<std::vector<RegionOutcome>> go() {
    int wanted =
        run.options.jobs > 0 ? run.options.jobs : run.evaluator.parallelJobs();
    threads = std::min<size_t>(std::max(1, wanted), regions.size());
    Progress progress(run.options.progress, stderr, run.ledger,
                      run.options.budget, regions.size());
    run.progress = &progress;
    for (Region &region : regions)
      if (isAtRoofline(region))
        leave(region);
    auto done =
        Rounds::isNeeded(run.options.budget) ? workInRounds() : workFreely();
    run.progress = nullptr;
    run.ledger.share({});
    if (!done)
      return std::unexpected(done.error());
    return collect();
  }

private:
  bool isAtRoofline(const Region &region) const {
    return region.weight.atRoofline(run.options.minSpeedup) &&
           !run.directory.attempt(region.task.spec.specHash, 1).exists() &&
           !RegionStore(run, region.task).find();
  }

  void leave(Region &region) {
    char text[160];
    std::snprintf(text, sizeof(text),
                  "stock is at the roofline: measured %.2f us, no kernel can "
                  "take less than %.2f us; nothing was asked",
                  region.weight.stockMicroseconds,
                  region.weight.boundMicroseconds);
    region.outcome.emplace().reason = text;
    run.progress->start(region.label);
    run.progress->note(region.label, std::string("kept: ") + text);
    run.progress->finish(region.label, *region.outcome);
  }

  /// No cap to share out: the end is the same whoever comes first, so nobody
  /// waits for anybody, but what is worth most comes first.
  Expected<void> workFreely() {
    return workAll([this]() -> Region * {
      std::vector<Prospect> open = prospects();
      std::erase_if(open, [this](const Prospect &prospect) {
        return regions[prospect.region].underWay;
      });
      if (open.empty())
        return nullptr; // as many threads as regions that go on are left
      sortByIndex(open, unit);
      return &regions[open.front().region];
    });
  }

  Expected<void> workInRounds() {
    // The store, and winners to judge again: nothing is asked yet.
    if (auto done = stepOnce(stillOpen()); !done)
      return done;
    Rounds rounds(run);
    while (true) {
      std::vector<Prospect> open = prospects();
      if (open.empty())
        return {};
      if (!run.broken.empty()) // nothing will be asked: all end
        return stepOnce(stillOpen());
      auto rows = rounds.begin(open, hashes, unit);
      if (!rows)
        return std::unexpected(rows.error());
      std::vector<Region *> chosen;
      for (const RoundRow &row : *rows)
        if (size_t i = std::ranges::find(hashes, row.specHash) - hashes.begin();
            i < regions.size() && !regions[i].outcome)
          chosen.push_back(&regions[i]);
      tellWaiting(open, chosen);
      if (auto done = stepOnce(chosen); !done)
        return done;
      for (Region *region : chosen)
        region->needsAll = region->search.wasCut() &&
                           !rounds.madeProgress(region->task.spec.specHash);
    }
  }

  std::vector<Region *> stillOpen() {
    std::vector<Region *> open;
    for (Region &region : regions)
      if (!region.outcome)
        open.push_back(&region);
    return open;
  }

  /// What the regions that are not chosen say if a cap ends them.
  void tellWaiting(std::vector<Prospect> open,
                   const std::vector<Region *> &chosen) {
    sortByIndex(open, unit);
    for (const Prospect &prospect : open) {
      Region &region = regions[prospect.region];
      if (std::ranges::find(chosen, &region) != chosen.end())
        continue;
      ++region.waited;
      region.search.setWaitReason(
          std::to_string(region.waited) +
          " rounds went to regions that were "
          "expected to gain more: at last " +
          describeIndex(open.front().index(unit), unit) + ", here " +
          describeIndex(prospect.index(unit), unit));
    }
  }

  /// Those that may go on.
  std::vector<Prospect> prospects() const {
    CostSum all;
    for (const Region &region : regions)
      all.add(region.search.attempts());
    std::vector<Prospect> open;
    for (size_t i = 0; i < regions.size(); ++i) {
      const Region &region = regions[i];
      if (region.outcome)
        continue;
      CostSum own;
      own.add(region.search.attempts());
      open.push_back(
          {i, expectedSaving(region.search.attempts(), region.weight),
           own.expected(all), region.search.attemptsLeft(), region.needsAll});
    }
    return open;
  }

  Expected<void> stepOnce(const std::vector<Region *> &chosen) {
    return workAll([&, next = size_t(0)]() mutable -> Region * {
      return next < chosen.size() ? chosen[next++] : nullptr;
    });
  }

  /// `pick` says which region makes a step next; null: none is left.
  Expected<void> workAll(std::function<Region *()> pick) {
    auto work = [&] {
      while (!failure && !isCancelled(run.options)) {
        Region *region = pick();
        if (!region)
          return;
        step(*region);
      }
    };
    if (threads <= 1) {
      work();
    } else {
      Turn turn;
      run.turn = &turn;
      std::vector<std::jthread> workers;
      for (size_t i = 0; i < threads; ++i)
        workers.emplace_back([&] {
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

  void step(Region &region) {
    region.underWay = true;
    run.progress->start(region.label, region.task.spec.specHash);
    auto done = region.search.step();
    region.underWay = false;
    if (!done) {
      if (!failure) {
        failure = done.error();
        run.broken = failure->message; // ends the other regions soon
      }
    } else if (region.search.outcome()) {
      region.outcome = region.search.outcome();
      run.progress->finish(region.label, *region.outcome);
    } else {
      run.progress->rest(region.label);
    }
  }

  std::vector<RegionOutcome> collect() {
    std::vector<RegionOutcome> all;
    for (size_t i = 0; i < tasks.size(); ++i) {
      auto found = std::ranges::find(hashes, hash(i)) - hashes.begin();
      all.push_back(*regions[size_t(found)].outcome);
    }
    return all;
  }

  const std::string &hash(size_t task) const {
    return tasks[task].spec.specHash;
  }

  Run &run;
  const std::vector<RegionTask> &tasks;
  const CostUnit unit;
  std::deque<Region> regions;      ///< the heaviest first
  std::vector<std::string> hashes; ///< theirs
  size_t threads = 1;
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
