//===- RegionLoop.cpp - Attempts at one region ----------------------------===//
#include "RegionLoop.h"

#include "Learning.h"
#include "kernelclaw/Plan/SimulatedSizes.h"
#include "kernelclaw/Plan/WinRule.h"

#include <algorithm>
#include <utility>

namespace kclaw {

using Status = AttemptResult::Status;

RegionSearch::RegionSearch(Run &run, const RegionTask &task,
                           const std::string &label)
    : run(run), task(task), label(label), store(run, task) {}

Expected<void> RegionSearch::step() {
  if (!strategy)
    return begin();
  if (!run.broken.empty()) // found out by another region
    return conclude(Status::Broken, run.broken);
  if (cut)
    if (auto done = rewind(); !done)
      return done;
  if (attemptsLeft() > 0)
    if (auto done = attempt(); !done || found || cut)
      return done;
  // Known now, and for nothing: a region that is over must not wait.
  if (attemptsLeft() <= 0)
    return conclude(Status::Judged, "");
  if (std::string why = strategy->whyOver(); !why.empty())
    return conclude(Status::Exhausted, why);
  return {};
}

/// A strategy that was stopped in the middle of an attempt is made anew and
/// led there through the record, as in a resumed run.
Expected<void> RegionSearch::rewind() {
  int reached = std::exchange(next, 1);
  cut = false;
  tree = Tree();
  strategy = createStrategy(run, task, tree);
  while (next < reached && !found)
    if (auto done = attempt(); !done)
      return done;
  return {};
}

Expected<void> RegionSearch::begin() {
  strategy = createStrategy(run, task, tree);
  // A region that this run already works on goes on; its own unfinished winner
  // in the store must not end the search early.
  bool underWay = run.directory.attempt(task.spec.specHash, 1).exists();
  // The task is there whatever comes of it: kernelclaw-worker check takes it.
  if (auto done = run.directory.recordTask(task); !done)
    return done;
  if (!underWay)
    if ((found = store.find())) {
      if (found->status != RegionOutcome::Status::Won)
        return keepFromStore();
      progress(found->reason);
      return {};
    }
  auto told = run.directory.events().appendOnce(
      {{"event", "region_started"}, {"specHash", task.spec.specHash}});
  if (!told)
    return told;
  if (!run.broken.empty())
    return conclude(Status::Broken, run.broken);
  if (std::string why = whyNotJudged(); !why.empty())
    return conclude(Status::NotJudged, why);
  return judgeStored();
}

/// Asking for candidates would be in vain.
std::string RegionSearch::whyNotJudged() const {
  bool simulated = isSimulated(run.evaluator.evidence());
  return simulated && !run.options.compileOnly
             ? whyNotSimulated(task.spec, task.reduced)
             : "";
}

/// A winner of older rules, or of the simulator where a device measures, is
/// judged before anything is searched; one that wins ends the search.
Expected<void> RegionSearch::judgeStored() {
  for (const StoreEntry &entry : store.winnersToJudgeAgain()) {
    progress("judging again what the store has: " + entry.reason);
    auto result = judgeAgain(run, task, entry.plan);
    if (!result)
      return std::unexpected(result.error());
    if (result->status != Status::Judged)
      return conclude(result->status, result->reason);
    if (!isWinner(result->record)) {
      progress("it wins no more: " +
               std::string(name(result->record.evaluation.outcome)));
      continue;
    }
    if (auto done = take(std::move(result->record)); !done)
      return done;
    return conclude(Status::Judged, "");
  }
  return {};
}

Expected<void> RegionSearch::attempt() {
  auto result = strategy->next(next);
  if (!result)
    return std::unexpected(result.error());
  cut = result->status == Status::Budget &&
        run.ledger.shareReached(task.spec.specHash);
  if (cut)
    return {};
  if (result->status != Status::Judged)
    return conclude(result->status, result->reason);
  const Evaluation &evaluation = result->record.evaluation;
  std::string line =
      "attempt " + std::to_string(next) + ": " + name(evaluation.outcome);
  if (evaluation.speedup > 0)
    line += ", " + describeSpeedup(evaluation);
  if (!evaluation.message.empty())
    line += ": " + evaluation.message.substr(0, 200);
  if (next > shown)
    progress(line);
  shown = std::max(shown, next);
  ++next;
  if (run.progress)
    run.progress->attempted(label, next - 1, run.options.budget.maxAttempts);
  return take(std::move(result->record));
}

/// Stores a new best at once: a kill after this loses nothing.
Expected<void> RegionSearch::take(AttemptRecord record) {
  int number = tree.add(std::move(record)).number;
  const AttemptRecord &added = *tree.find(number);
  bool best =
      isWinner(added) &&
      (!tree.best() || isBetter(added.evaluation, tree.best()->evaluation));
  if (best) {
    tree.promote(number);
    if (auto done = store.putWinner(added); !done)
      return done;
  }
  return learn(run, task, tree, added);
}

bool RegionSearch::isWinner(const AttemptRecord &record) const {
  const Evaluation &evaluation = record.evaluation;
  bool wins = !run.options.compileOnly && record.plan &&
              store.isAccepted(evaluation.evidence) &&
              store.isRepeatableEnough(evaluation) &&
              WinRule{run.options.minSpeedup}.holds(evaluation);
  if (!wins)
    return false;
  auto reason = store.refuted(evaluation.evidence, *record.plan);
  if (reason)
    progress("refuted by an earlier check of a whole module: " +
             reason->substr(0, 200));
  return !reason;
}

/// The best attempt that is no winner: right before wrong, then faster.
const AttemptRecord *RegionSearch::closest() const {
  const AttemptRecord *closest = nullptr;
  for (const AttemptRecord &record : tree.records())
    if (!closest || (record.right() && !closest->right()) ||
        (record.right() == closest->right() &&
         record.evaluation.speedup > closest->evaluation.speedup))
      closest = &record;
  return closest;
}

/// Why stock is kept: the outside reason, the best that was tried, or both.
std::string RegionSearch::describeKept(const std::string &why) const {
  const AttemptRecord *record = closest();
  if (!record)
    return why.empty() ? "nothing was tried" : why;
  const Evaluation &evaluation = record->evaluation;
  std::string text = why.empty() ? "" : why + "; ";
  text += "best of " + std::to_string(tree.records().size()) +
          " attempts: " + name(evaluation.outcome);
  if (evaluation.speedup > 0)
    text += ", " + describeSpeedup(evaluation);
  std::string rule = WinRule{run.options.minSpeedup}.whyNot(evaluation);
  if (record->right() && !rule.empty())
    text += ": " + rule;
  text += describeUnaccepted(evaluation);
  if (!store.isRepeatableEnough(evaluation))
    text += ", but not bitwise repeatable";
  return text;
}

/// Why evidence that would do elsewhere does not do here.
std::string
RegionSearch::describeUnaccepted(const Evaluation &evaluation) const {
  if (!isSimulated(evaluation.evidence) || evaluation.outcome != Outcome::Ok ||
      store.isAccepted(evaluation.evidence))
    return "";
  if (!run.options.acceptSimulated)
    return ", but accept=simulated was not given";
  return ", but a tensor of 2^31 elements or more is not embedded from "
         "reduced sizes";
}

/// No winner: why, which stock, and what the store keeps of that.
Expected<void> RegionSearch::keep(RegionOutcome &outcome, Status status,
                                  const std::string &why) {
  outcome.reason = describeKept(why);
  const std::string searched = outcome.reason;
  if (closest())
    outcome.evaluation = closest()->evaluation;
  auto stock = chooseStock(outcome);
  if (!stock)
    return std::unexpected(stock.error());
  bool parked = outcome.status == RegionOutcome::Status::Parked;
  if (parked || outcome.degraded)
    return {};
  return store.putKept(searched, status, tree, *stock);
}

/// The search is not repeated; stock may still have to be judged.
Expected<void> RegionSearch::keepFromStore() {
  auto stock = chooseStock(*found);
  if (!stock)
    return std::unexpected(stock.error());
  bool parked = found->status == RegionOutcome::Status::Parked;
  progress((parked ? "parked: " : "kept: ") + found->reason);
  return parked ? Expected<void>() : store.putStock(*stock);
}

/// Completes the outcome of a region without a winner: its stock, and how the
/// comparison of both ended.
Expected<KeptStock> RegionSearch::chooseStock(RegionOutcome &outcome) {
  auto stock = chooseKeptStock(run, task, tree, store.kept());
  if (!stock)
    return stock;
  outcome.stock = accepted(*stock, run.options, task.spec);
  outcome.reason += describe(*stock, run.options, task.spec);
  if (!stock->notJudged)
    return stock;
  if (stock->notJudged->status == Status::Parked) {
    outcome.status = RegionOutcome::Status::Parked;
    outcome.reason = stock->notJudged->reason;
  }
  if (stock->notJudged->status == Status::Budget) {
    outcome.budgetReached = true;
    outcome.reason +=
        "; the libraries' stock was not judged: " + stock->notJudged->reason;
  }
  return stock;
}

Expected<void> RegionSearch::conclude(Status status,
                                      const std::string &because) {
  using Won = RegionOutcome::Status;
  std::string why = because;
  if (status == Status::Budget && !waitReason.empty())
    why += "; " + waitReason;
  RegionOutcome outcome;
  outcome.budgetReached = status == Status::Budget;
  outcome.degraded = status == Status::Broken;
  if (status == Status::Parked) {
    outcome.status = Won::Parked;
    outcome.reason = why;
  } else if (const AttemptRecord *best = tree.best()) {
    outcome.status = Won::Won;
    outcome.plan = *best->plan;
    outcome.evaluation = best->evaluation;
    outcome.stock = outcome.evaluation.stock;
    outcome.reason = describeSpeedup(outcome.evaluation);
    if (outcome.evaluation.evidence == Evidence::SimulatedReduced)
      outcome.reason += "; " + outcome.evaluation.message;
  } else if (auto done = keep(outcome, status, why); !done) {
    return done;
  }
  static constexpr const char *names[] = {"won", "kept", "parked"};
  std::string line =
      std::string(names[int(outcome.status)]) + ": " + outcome.reason;
  if (outcome.status == Won::Won && !why.empty())
    line += "; " + why;
  progress(line);
  found = outcome;
  if (outcome.status == Won::Parked)
    return {};
  return run.directory.events().append({{"event", "region_finished"},
                                        {"specHash", task.spec.specHash},
                                        {"status", names[int(outcome.status)]},
                                        {"fromStore", outcome.fromStore},
                                        {"message", outcome.reason}});
}

void RegionSearch::progress(const std::string &text) const {
  if (run.progress)
    run.progress->note(label, text);
}

} // namespace kclaw
