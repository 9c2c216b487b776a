//===- Summary.cpp - What a run cost, and what came of it -----------------===//
#include "Summary.h"

#include <algorithm>
#include <map>

namespace kclaw {
namespace {

using json::Json;

/// A sum over events.
struct Cost {
  int64_t calls = 0, inputTokens = 0, outputTokens = 0, cachedInputTokens = 0;
  double dollars = 0, callSeconds = 0, gpuSeconds = 0, energyJoules = 0;
  bool energyMeasured = false;
  /// Of the above but dollars and tokens apart: calls whose answer a kill lost.
  int64_t lostCalls = 0, lostTokens = 0;
  double lostDollars = 0;

  void add(const Json &event, const std::string &what) {
    if (what.ends_with("evaluated")) {
      gpuSeconds += numberIn(event, "deviceSeconds");
      energyMeasured |= event.contains("energyJoules");
      energyJoules += numberIn(event, "energyJoules");
      return;
    }
    int64_t in = integerIn(event, "inputTokens");
    int64_t out = integerIn(event, "outputTokens");
    if (what == "call_lost") {
      ++lostCalls;
      lostTokens += in + out;
      lostDollars += numberIn(event, "dollars");
      return;
    }
    ++calls;
    inputTokens += in;
    outputTokens += out;
    cachedInputTokens += integerIn(event, "cachedInputTokens");
    dollars += numberIn(event, "dollars");
    callSeconds += numberIn(event, "seconds");
  }

  Json json() const {
    Json row{{"calls", calls},
             {"inputTokens", inputTokens},
             {"outputTokens", outputTokens},
             {"cachedInputTokens", cachedInputTokens},
             {"dollars", json::number(dollars)},
             {"callSeconds", json::number(callSeconds)},
             {"gpuSeconds", json::number(gpuSeconds)}};
    if (energyMeasured)
      row["energyJoules"] = json::number(energyJoules);
    if (lostCalls)
      row["lost"] = {{"calls", lostCalls},
                     {"tokens", lostTokens},
                     {"dollars", json::number(lostDollars)}};
    return row;
  }
};

struct AttemptRow {
  Cost cost;
  Json verdict = Json::object();
  std::vector<std::string> models;
};

struct RegionRow {
  Cost cost;
  std::map<std::string, Cost> roles;
  std::map<int64_t, AttemptRow> attempts;
};

struct Account {
  Cost total;
  std::map<std::string, Cost> roles;
  std::map<std::string, RegionRow> regions;

  explicit Account(const std::vector<Json> &events) {
    for (const Json &event : events)
      book(event);
  }

  void book(const Json &event) {
    std::string what = textIn(event, "event");
    if (what != "reply" && what != "call_lost" && !what.ends_with("evaluated"))
      return;
    RegionRow &region = regions[textIn(event, "specHash")];
    AttemptRow &attempt = region.attempts[integerIn(event, "attempt")];
    for (Cost *cost : {&total, &region.cost, &attempt.cost})
      cost->add(event, what);
    if (what == "tool_evaluated")
      return;
    if (what == "evaluated") {
      for (const char *name : {"outcome", "evidence", "speedup"})
        if (event.contains(name))
          attempt.verdict[name] = event[name];
      return;
    }
    std::string role = textIn(event, "role");
    for (auto *by : {&roles, &region.roles})
      (*by)[role].add(event, what);
    std::string model = textIn(event, "model");
    if (!model.empty() &&
        std::ranges::find(attempt.models, model) == attempt.models.end())
      attempt.models.push_back(model);
  }
};

Json byRole(const std::map<std::string, Cost> &roles) {
  Json rows = Json::object();
  for (const auto &[role, cost] : roles)
    rows[role.empty() ? "model" : role] = cost.json();
  return rows;
}

Json attemptRows(const RegionRow &region) {
  Json rows = Json::array();
  for (const auto &[number, attempt] : region.attempts) {
    Json row{{"attempt", number}};
    row.update(attempt.verdict);
    if (!attempt.models.empty())
      row["models"] = attempt.models;
    row.update(attempt.cost.json());
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The run's own answer; the compiler may still degrade it (verify=module).
std::pair<const char *, int>
statusOf(const std::vector<RegionOutcome> &outcomes) {
  auto any = [&](auto holds) { return std::ranges::any_of(outcomes, holds); };
  if (outcomes.empty())
    return {"interrupted", 1};
  if (any([](const RegionOutcome &o) {
        return o.status == RegionOutcome::Status::Parked;
      }))
    return {"parked", 75};
  if (any([](const RegionOutcome &o) { return o.degraded; }))
    return {"degraded", 4};
  if (any([](const RegionOutcome &o) { return o.budgetReached; }))
    return {"budget", 3};
  return {"finished", 0};
}

Json capsOf(const Budget &budget) {
  Json caps{{"maxAttempts", budget.maxAttempts}};
  const std::pair<const char *, double> rows[] = {
      {"maxTokens", double(budget.maxTokens)},
      {"maxDollars", budget.maxDollars},
      {"maxSeconds", budget.maxSeconds},
      {"maxGpuSeconds", budget.maxGpuSeconds}};
  for (auto [name, value] : rows)
    if (value > 0)
      caps[name] = value;
  return caps;
}

} // namespace

const char *verdict(const RegionOutcome &outcome) {
  if (outcome.status == RegionOutcome::Status::Parked)
    return "parked";
  if (outcome.status == RegionOutcome::Status::Won)
    return "won";
  if (outcome.degraded)
    return "degraded";
  return outcome.budgetReached ? "budget" : "kept";
}

Json summarise(const std::vector<RegionTask> &tasks,
               const std::vector<RegionOutcome> &outcomes,
               const std::vector<RegionWeight> &weights, const Budget &budget,
               const std::vector<Json> &events) {
  Account account(events);
  Json regions = Json::array();
  for (const RegionWeight &weight : weights) {
    const KernelSpec &spec = tasks[weight.task].spec;
    Json row{{"specHash", spec.specHash}, {"symbols", Json::array()}};
    for (const RegionTask &task : tasks)
      if (task.spec.specHash == spec.specHash)
        row["symbols"].push_back(task.spec.symbol);
    if (!outcomes.empty()) {
      const RegionOutcome &outcome = outcomes[weight.task];
      row["verdict"] = verdict(outcome);
      row["reason"] = outcome.reason;
      row["fromStore"] = outcome.fromStore;
      row["speedup"] = json::number(outcome.evaluation.speedup);
      row["evidence"] = name(outcome.evaluation.evidence);
    }
    row["stockMicroseconds"] = json::number(weight.stockMicroseconds);
    row["stockMeasured"] = weight.measured;
    row["timeShare"] = json::number(weight.timeShare);
    row["headroom"] = json::number(weight.headroom);
    const RegionRow &region = account.regions[spec.specHash];
    row.update(region.cost.json());
    row["roles"] = byRole(region.roles);
    row["attempts"] = attemptRows(region);
    regions.push_back(std::move(row));
  }
  auto [status, exitCode] = statusOf(outcomes);
  Json summary{{"version", 1},
               {"status", status},
               {"exitCode", exitCode},
               {"caps", capsOf(budget)},
               {"wallSeconds", json::number(secondsSpent(events))}};
  summary["total"] = account.total.json();
  summary["roles"] = byRole(account.roles);
  summary["regions"] = std::move(regions);
  return summary;
}

} // namespace kclaw
