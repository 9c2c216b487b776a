//===- RegionStore.cpp - One region's place in the store ------------------===//
#include "RegionStore.h"

#include "Acceptance.h"
#include "KeptRecord.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <algorithm>
#include <cstdio>

namespace kclaw {
namespace {

/// Microseconds, from the last attempt that was timed on a device; 0: none.
double measuredStock(const Tree &tree) {
  double stock = 0;
  for (const AttemptRecord &record : tree.records())
    if (record.evaluation.evidence == Evidence::Measured &&
        record.evaluation.stockTime.medianMicroseconds > 0)
      stock = record.evaluation.stockTime.medianMicroseconds;
  return stock;
}

} // namespace

std::string describeSpeedup(const Evaluation &evaluation) {
  char text[96];
  std::snprintf(text, sizeof(text), "%.2fx of stock (%.1f us, %s)",
                evaluation.speedup, evaluation.time.medianMicroseconds,
                name(evaluation.evidence));
  return text;
}

StoreKey RegionStore::key(Evidence evidence, bool deterministic) const {
  StoreKey plain{task.spec.specHash, run.options.arch, name(task.spec.policy),
                 evidence, evaluatorRulesVersion};
  return deterministic ? plain.deterministic() : plain;
}

StoreKey RegionStore::keptKey() const {
  Evidence evidence = run.evaluator.evidence();
  // Without a judge what was measured elsewhere holds.
  if (evidence == Evidence::None)
    evidence = Evidence::Measured;
  return key(evidence, run.options.deterministic);
}

/// Where winners that may be used here lie, best first. What is weaker than
/// the evidence that can be had here is judged again instead.
std::vector<StoreKey> RegionStore::keysToSearch() const {
  std::vector<StoreKey> keys;
  bool measures = run.evaluator.evidence() == Evidence::Measured;
  for (Evidence evidence :
       {Evidence::Measured, Evidence::Simulated, Evidence::SimulatedReduced}) {
    if (isSimulated(evidence) && (measures || !isAccepted(evidence)))
      continue;
    if (run.options.deterministic)
      keys.push_back(key(evidence, true));
    keys.push_back(key(evidence, false));
  }
  return keys;
}

bool RegionStore::isRepeatableEnough(const Evaluation &evaluation) const {
  return !run.options.deterministic || evaluation.bitwiseRepeatable;
}

bool RegionStore::isAccepted(Evidence evidence) const {
  return kclaw::isAccepted(evidence, run.options, task.spec);
}

std::optional<std::string> RegionStore::refuted(Evidence evidence,
                                                const Plan &plan) const {
  if (!run.store)
    return std::nullopt;
  auto reason = run.store->refuted(key(evidence, false), plan);
  if (!reason) {
    std::fprintf(stderr, "warning: %s\n", reason.error().message.c_str());
    return std::nullopt;
  }
  return *reason;
}

std::optional<RegionOutcome> RegionStore::find() const {
  if (!run.store || run.options.compileOnly)
    return std::nullopt;
  for (const StoreKey &where : keysToSearch()) {
    auto entry = run.store->find(where);
    if (!entry)
      std::fprintf(stderr, "warning: %s\n", entry.error().message.c_str());
    bool usable = entry && *entry && (*entry)->won &&
                  isRepeatableEnough((*entry)->evaluation) &&
                  checkPlan((*entry)->plan, task.spec, false) &&
                  !refuted(where.evidence, (*entry)->plan);
    if (!usable)
      continue;
    RegionOutcome outcome;
    outcome.status = RegionOutcome::Status::Won;
    outcome.plan = (*entry)->plan;
    outcome.evaluation = (*entry)->evaluation;
    outcome.reason = "from the store: " + (*entry)->reason;
    outcome.stock = outcome.evaluation.stock;
    outcome.fromStore = true;
    return outcome;
  }
  return findKept();
}

std::optional<RegionOutcome> RegionStore::findKept() const {
  auto entry = run.store->find(keptKey());
  if (!entry || !*entry || !answers(**entry, run.options))
    return std::nullopt;
  RegionOutcome outcome;
  outcome.reason = "from the store: " + (*entry)->reason;
  outcome.fromStore = true;
  return outcome;
}

/// Winners of older rules; and the simulator's where a device measures.
std::vector<StoreKey> RegionStore::keysToJudgeAgain() const {
  std::vector<StoreKey> keys;
  bool measures = run.evaluator.evidence() == Evidence::Measured;
  for (int rules = evaluatorRulesVersion; rules > 0; --rules)
    for (Evidence evidence : {Evidence::Measured, Evidence::Simulated,
                              Evidence::SimulatedReduced}) {
      bool older = rules < evaluatorRulesVersion;
      if (isSimulated(evidence) ? !measures && !(older && isAccepted(evidence))
                                : !measures || !older)
        continue;
      keys.push_back(key(evidence, run.options.deterministic));
      keys.back().rulesVersion = rules;
    }
  return keys;
}

std::vector<StoreEntry> RegionStore::winnersToJudgeAgain() const {
  std::vector<StoreEntry> entries;
  if (!run.store || run.options.compileOnly ||
      run.evaluator.evidence() == Evidence::None)
    return entries;
  for (const StoreKey &where : keysToJudgeAgain()) {
    auto entry = run.store->find(where);
    if (entry && *entry && (*entry)->won &&
        checkPlan((*entry)->plan, task.spec, false) &&
        !refuted(where.evidence, (*entry)->plan))
      entries.push_back(std::move(**entry));
  }
  return entries;
}

Expected<void> RegionStore::putWinner(const AttemptRecord &best) {
  if (!run.store)
    return {};
  StoreEntry entry;
  entry.won = true;
  entry.plan = *best.plan;
  entry.evaluation = best.evaluation;
  entry.reason = describeSpeedup(best.evaluation);
  entry.provenance = provenance(best);
  return run.store->put(
      key(best.evaluation.evidence, run.options.deterministic), entry);
}

std::string RegionStore::provenance(const AttemptRecord &best) const {
  Usage spent = run.ledger.spent();
  json::Json document{{"provider", run.options.provider},
                      {"attempt", best.number},
                      {"title", best.plan->title},
                      {"seed", run.options.seed},
                      {"device", best.evaluation.time.device},
                      {"deviceUuid", best.evaluation.device.uuid},
                      {"driver", best.evaluation.driverVersion},
                      {"nvrtc", best.evaluation.nvrtcVersion},
                      {"inputTokens", spent.inputTokens},
                      {"outputTokens", spent.outputTokens},
                      {"dollars", json::number(spent.dollars)}};
  return json::dump(document);
}

std::optional<StoreEntry> RegionStore::kept() const {
  if (!run.store || !task.libraryStock)
    return std::nullopt;
  auto entry = run.store->find(keptKey());
  return entry ? *entry : std::nullopt;
}

Expected<void> RegionStore::putKept(const std::string &reason,
                                    AttemptResult::Status status,
                                    const Tree &tree, const KeptStock &stock) {
  if (!run.store || run.options.compileOnly)
    return {};
  bool settled = isSettled(run.options, status, tree);
  auto older = run.store->find(keptKey());
  if (!settled && older && *older)
    return putStock(stock);
  StoreEntry entry;
  if (older && *older && !(*older)->won)
    entry = **older; // its stock
  entry.reason = reason;
  entry.provenance =
      settled ? keptProvenance(run.options,
                               status == AttemptResult::Status::Exhausted,
                               measuredStock(tree))
              : "";
  remember(stock, task, entry);
  return run.store->put(keptKey(), entry);
}

Expected<void> RegionStore::putStock(const KeptStock &stock) {
  if (!run.store || run.options.compileOnly)
    return {};
  auto older = run.store->find(keptKey());
  if (!older || !*older || (*older)->won || !stock.isLasting())
    return {};
  remember(stock, task, **older);
  return run.store->put(keptKey(), **older);
}

} // namespace kclaw
