//===- RegionLoop.cpp - Attempts at one region ----------------------------===//
#include "RegionLoop.h"

#include "KeptRecord.h"

#include "kernelclaw/Plan/CheckPlan.h"
#include "kernelclaw/Plan/WinRule.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kclaw {
namespace {

using Status = AttemptResult::Status;

class RegionLoop {
public:
  RegionLoop(Run &run, const RegionTask &task, const std::string &label)
      : run(run), task(task), label(label) {}

  Expected<RegionOutcome> go() {
    // A region that this run already works on goes on; its own unfinished
    // winner in the store must not end the search early.
    bool underWay = run.directory.attempt(task.spec.specHash, 1).exists();
    // The task is there whatever comes of it: kernelclaw-worker check takes it.
    if (auto done = run.directory.recordTask(task); !done)
      return std::unexpected(done.error());
    if (!underWay)
      if (auto stored = findStored())
        return *stored;
    auto told = run.directory.events().appendOnce(
        {{"event", "region_started"}, {"specHash", task.spec.specHash}});
    if (!told)
      return std::unexpected(told.error());
    if (!run.broken.empty())
      return conclude(Status::Broken, run.broken);
    if (auto again = judgeStored(); !again)
      return std::unexpected(again.error());
    else if (*again)
      return conclude((*again)->status, (*again)->reason);
    for (int attempt = 1; attempt <= run.options.budget.maxAttempts;
         ++attempt) {
      auto result = runOne(attempt);
      if (!result)
        return std::unexpected(result.error());
      if (result->status != Status::Judged)
        return conclude(result->status, result->reason);
      if (!run.broken.empty()) // found out by another region
        return conclude(Status::Broken, run.broken);
    }
    return conclude(Status::Judged, "");
  }

private:
  StoreKey key(Evidence evidence, bool deterministic) const {
    StoreKey plain{task.spec.specHash, run.options.arch, name(task.spec.policy),
                   evidence, evaluatorRulesVersion};
    return deterministic ? plain.deterministic() : plain;
  }

  StoreKey keptKey() const {
    return key(run.evaluator.evidence(), run.options.deterministic);
  }

  /// Where winners that may be used here lie, best first. What is weaker than
  /// the evidence that can be had here is judged again instead.
  std::vector<StoreKey> keysToSearch() const {
    std::vector<StoreKey> keys;
    bool measures = run.evaluator.evidence() == Evidence::Measured;
    for (Evidence evidence : {Evidence::Measured, Evidence::Simulated,
                              Evidence::SimulatedReduced}) {
      if (isSimulated(evidence) && (measures || !isAccepted(evidence)))
        continue;
      if (run.options.deterministic)
        keys.push_back(key(evidence, true));
      keys.push_back(key(evidence, false));
    }
    return keys;
  }

  bool isRepeatableEnough(const Evaluation &evaluation) const {
    return !run.options.deterministic || evaluation.bitwiseRepeatable;
  }

  std::optional<RegionOutcome> findStored() {
    if (!run.store || run.options.compileOnly)
      return std::nullopt;
    for (const StoreKey &where : keysToSearch()) {
      auto entry = run.store->find(where);
      if (!entry)
        std::fprintf(stderr, "warning: %s\n", entry.error().message.c_str());
      bool usable = entry && *entry && (*entry)->won &&
                    isRepeatableEnough((*entry)->evaluation) &&
                    checkPlan((*entry)->plan, task.spec, false) &&
                    !isRefuted(where.evidence, (*entry)->plan);
      if (!usable)
        continue;
      RegionOutcome outcome;
      outcome.status = RegionOutcome::Status::Won;
      outcome.plan = (*entry)->plan;
      outcome.evaluation = (*entry)->evaluation;
      outcome.reason = "from the store: " + (*entry)->reason;
      outcome.fromStore = true;
      progress(outcome.reason);
      return outcome;
    }
    return findKept();
  }

  /// A winner of the simulator where a device measures: it is judged before
  /// anything is searched. Nothing, when there is none or it wins no more.
  Expected<std::optional<AttemptResult>> judgeStored() {
    if (!run.store || run.options.compileOnly ||
        run.evaluator.evidence() != Evidence::Measured)
      return std::nullopt;
    for (Evidence evidence :
         {Evidence::Simulated, Evidence::SimulatedReduced}) {
      auto entry = run.store->find(key(evidence, run.options.deterministic));
      if (!entry || !*entry || !(*entry)->won ||
          !checkPlan((*entry)->plan, task.spec, false) ||
          isRefuted(evidence, (*entry)->plan))
        continue;
      progress("judging again what won on the simulator: " + (*entry)->reason);
      auto result = judgeAgain(run, task, (*entry)->plan);
      if (!result)
        return std::unexpected(result.error());
      if (result->status != Status::Judged)
        return *result;
      if (!isWinner(result->record)) {
        progress("it wins no more: " +
                 std::string(name(result->record.evaluation.outcome)));
        continue;
      }
      history.push_back(result->record);
      if (auto done = promote(history.size() - 1); !done)
        return std::unexpected(done.error());
      return *result;
    }
    return std::nullopt;
  }

  bool isAccepted(Evidence evidence) const {
    if (evidence == Evidence::SimulatedReduced && isHuge())
      return false;
    return evidence == Evidence::Measured ||
           (isSimulated(evidence) && run.options.acceptSimulated);
  }

  /// Whether an index into one of its buffers may need more than 32 bits: no
  /// smaller size shows what goes wrong there.
  bool isHuge() const {
    for (const auto *tensors : {&task.spec.arguments, &task.spec.results})
      for (const TensorSpec &tensor : *tensors) {
        double elements = 1;
        for (const Dim &dim : tensor.dims)
          elements *= double(largestSize(dim));
        if (elements >= 2147483648.0)
          return true;
      }
    return false;
  }

  static int64_t largestSize(const Dim &dim) {
    if (dim.isStatic())
      return dim.value;
    return dim.samples.empty() ? dim.max : std::ranges::max(dim.samples);
  }

  /// A search that found nothing and would find nothing again.
  std::optional<RegionOutcome> findKept() const {
    auto entry = run.store->find(keptKey());
    if (!entry || !*entry || !answers(**entry, run.options))
      return std::nullopt;
    RegionOutcome outcome;
    outcome.reason = "from the store: " + (*entry)->reason;
    outcome.fromStore = true;
    progress("kept: " + outcome.reason);
    return outcome;
  }

  Expected<AttemptResult> runOne(int attempt) {
    auto conversation = buildConversation(run.prompts, task, run.options,
                                          attempt, history, best());
    if (!conversation)
      return std::unexpected(conversation.error());
    auto result =
        runAttempt(run, task, std::move(*conversation), keepAboveSpeedup());
    if (!result || result->status != Status::Judged)
      return result;
    const Evaluation &evaluation = result->record.evaluation;
    std::string line =
        "attempt " + std::to_string(attempt) + ": " + name(evaluation.outcome);
    if (evaluation.speedup > 0)
      line += ", " + describeSpeedup(evaluation);
    if (!evaluation.message.empty())
      line += ": " + evaluation.message.substr(0, 200);
    progress(line);
    history.push_back(result->record);
    if (isWinner(history.back()) && isBetter(history.back()))
      if (auto done = promote(history.size() - 1); !done)
        return std::unexpected(done.error());
    return result;
  }

  /// Stock has to be beaten by the option's factor, an earlier winner at all.
  double keepAboveSpeedup() const {
    return best() ? best()->evaluation.speedup
                  : std::nextafter(run.options.minSpeedup, 0.0);
  }

  bool isWinner(const AttemptRecord &record) const {
    const Evaluation &evaluation = record.evaluation;
    return !run.options.compileOnly && record.plan &&
           isAccepted(evaluation.evidence) && isRepeatableEnough(evaluation) &&
           WinRule{run.options.minSpeedup}.holds(evaluation) &&
           !isRefuted(evaluation.evidence, *record.plan);
  }

  /// It was dropped from an earlier module, which it made wrong.
  bool isRefuted(Evidence evidence, const Plan &plan) const {
    if (!run.store)
      return false;
    auto reason = run.store->refuted(key(evidence, false), plan);
    if (!reason)
      std::fprintf(stderr, "warning: %s\n", reason.error().message.c_str());
    bool refuted = reason && *reason;
    if (refuted)
      progress("refuted by an earlier check of a whole module: " +
               (*reason)->substr(0, 200));
    return refuted;
  }

  /// Times of different evidence are never compared: the stronger wins. Two
  /// attempts may be judged on two devices, so it is the ratio to the stock
  /// measured beside each that counts, never the time (DeviceIdentity.h).
  bool isBetter(const AttemptRecord &record) const {
    if (!best())
      return true;
    const Evaluation &a = record.evaluation, &b = best()->evaluation;
    if (a.evidence != b.evidence)
      return a.evidence > b.evidence;
    return a.speedup > b.speedup;
  }

  const AttemptRecord *best() const {
    return bestIndex < history.size() ? &history[bestIndex] : nullptr;
  }

  /// Stores the new best at once: a kill after this loses nothing.
  Expected<void> promote(size_t index) {
    bestIndex = index;
    if (!run.store)
      return {};
    StoreEntry entry;
    entry.won = true;
    entry.plan = *best()->plan;
    entry.evaluation = best()->evaluation;
    entry.reason = describeSpeedup(best()->evaluation);
    entry.provenance = provenance();
    return run.store->put(
        key(best()->evaluation.evidence, run.options.deterministic), entry);
  }

  std::string provenance() const {
    json::Json document{{"provider", run.options.provider},
                        {"attempt", best()->number},
                        {"title", best()->plan->title},
                        {"seed", run.options.seed},
                        {"device", best()->evaluation.time.device},
                        {"deviceUuid", best()->evaluation.device.uuid},
                        {"driver", best()->evaluation.driverVersion},
                        {"nvrtc", best()->evaluation.nvrtcVersion},
                        {"inputTokens", run.ledger.spent().inputTokens},
                        {"outputTokens", run.ledger.spent().outputTokens},
                        {"dollars", json::number(run.ledger.spent().dollars)}};
    return json::dump(document);
  }

  static std::string describeSpeedup(const Evaluation &evaluation) {
    char text[96];
    std::snprintf(text, sizeof(text), "%.2fx of stock (%.1f us, %s)",
                  evaluation.speedup, evaluation.time.medianMicroseconds,
                  name(evaluation.evidence));
    return text;
  }

  /// The best attempt that is no winner: right before wrong, then faster.
  const AttemptRecord *closest() const {
    const AttemptRecord *found = nullptr;
    for (const AttemptRecord &record : history) {
      bool right = record.evaluation.outcome == Outcome::Ok;
      bool foundRight = found && found->evaluation.outcome == Outcome::Ok;
      if (!found || (right && !foundRight) ||
          (right == foundRight &&
           record.evaluation.speedup > found->evaluation.speedup))
        found = &record;
    }
    return found;
  }

  Expected<RegionOutcome> conclude(Status status, const std::string &why) {
    RegionOutcome outcome;
    outcome.budgetReached = status == Status::Budget;
    outcome.degraded = status == Status::Broken;
    if (status == Status::Parked) {
      outcome.status = RegionOutcome::Status::Parked;
      outcome.reason = why;
    } else if (best()) {
      outcome.status = RegionOutcome::Status::Won;
      outcome.plan = *best()->plan;
      outcome.evaluation = best()->evaluation;
      outcome.reason = describeSpeedup(outcome.evaluation);
    } else {
      outcome.reason = describeKept(why);
      if (closest())
        outcome.evaluation = closest()->evaluation;
    }
    if (auto done = record(outcome, status); !done)
      return std::unexpected(done.error());
    return outcome;
  }

  /// Why stock is kept: the outside reason, the best that was tried, or both.
  std::string describeKept(const std::string &why) const {
    const AttemptRecord *found = closest();
    if (!found)
      return why.empty() ? "nothing was tried" : why;
    std::string text = why.empty() ? "" : why + "; ";
    text += "best of " + std::to_string(history.size()) +
            " attempts: " + name(found->evaluation.outcome);
    if (found->evaluation.speedup > 0)
      text += ", " + describeSpeedup(found->evaluation);
    if (std::string why =
            WinRule{run.options.minSpeedup}.whyNot(found->evaluation);
        found->evaluation.outcome == Outcome::Ok && !why.empty())
      text += ": " + why;
    text += describeUnaccepted(found->evaluation);
    if (!isRepeatableEnough(found->evaluation))
      text += ", but not bitwise repeatable";
    return text;
  }

  /// Why evidence that would do elsewhere does not do here.
  std::string describeUnaccepted(const Evaluation &evaluation) const {
    if (!isSimulated(evaluation.evidence) ||
        evaluation.outcome != Outcome::Ok || isAccepted(evaluation.evidence))
      return "";
    if (!run.options.acceptSimulated)
      return ", but accept=simulated was not given";
    return ", but a tensor of 2^31 elements or more is not embedded from "
           "reduced sizes";
  }

  /// A search that did not settle the question leaves what one did settle.
  Expected<void> putKept(const std::string &reason, Status status) {
    bool settled = isSettled(run.options, status, history);
    auto older = run.store->find(keptKey());
    if (!settled && older && *older)
      return {};
    StoreEntry entry;
    entry.reason = reason;
    if (settled)
      entry.provenance =
          keptProvenance(run.options, status == Status::Exhausted);
    return run.store->put(keptKey(), entry);
  }

  Expected<void> record(const RegionOutcome &outcome, Status status) {
    static constexpr const char *names[] = {"won", "kept", "parked"};
    progress(std::string(names[int(outcome.status)]) + ": " + outcome.reason);
    bool parked = outcome.status == RegionOutcome::Status::Parked;
    bool kept = outcome.status == RegionOutcome::Status::Kept;
    if (kept && run.store && !outcome.degraded && !run.options.compileOnly)
      if (auto done = putKept(outcome.reason, status); !done)
        return done;
    if (parked)
      return {};
    return run.directory.events().append(
        {{"event", "region_finished"},
         {"specHash", task.spec.specHash},
         {"status", names[int(outcome.status)]},
         {"fromStore", outcome.fromStore},
         {"message", outcome.reason}});
  }

  void progress(const std::string &text) const {
    if (!run.options.progress)
      return;
    std::string line = text;
    for (char &c : line)
      c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    std::fprintf(stderr, "%s %s\n", label.c_str(), line.c_str());
  }

  Run &run;
  const RegionTask &task;
  std::string label;
  std::vector<AttemptRecord> history;
  size_t bestIndex = size_t(-1);
};

} // namespace

Expected<RegionOutcome> optimizeRegion(Run &run, const RegionTask &task,
                                       const std::string &label) {
  return RegionLoop(run, task, label).go();
}

} // namespace kclaw
