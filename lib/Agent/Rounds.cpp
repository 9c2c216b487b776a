//===- Rounds.cpp - Who makes an attempt next, on record ------------------===//
#include "Rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kclaw {
namespace {

using json::Json;

double tokensOf(const Usage &usage) {
  return double(usage.inputTokens) + double(usage.outputTokens);
}

Cost leftOf(const Budget &budget, const Usage &spent) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  return {budget.maxTokens > 0
              ? std::max(0.0, double(budget.maxTokens) - tokensOf(spent))
              : endless,
          budget.maxDollars > 0
              ? std::max(0.0, budget.maxDollars - spent.dollars)
              : endless};
}

Json toJson(const RoundRow &row) {
  Json json{{"specHash", row.specHash},
            {"usedTokens", json::number(row.usedTokens)},
            {"usedDollars", json::number(row.usedDollars)},
            {"expectedMicroseconds", json::number(row.saving)}};
  if (row.share) { // not the infinity of what has no cap
    json["maxTokens"] = json::number(row.share->tokens);
    json["maxDollars"] = json::number(row.share->dollars);
  }
  return json;
}

RoundRow readRow(const Json &json) {
  RoundRow row;
  row.specHash = textIn(json, "specHash");
  row.usedTokens = numberIn(json, "usedTokens");
  row.usedDollars = numberIn(json, "usedDollars");
  row.saving = numberIn(json, "expectedMicroseconds");
  if (json.contains("maxTokens"))
    row.share = {numberIn(json, "maxTokens"), numberIn(json, "maxDollars")};
  return row;
}

} // namespace

Rounds::Rounds(Run &run) : run(run) {
  for (const Json &event : run.directory.events().records()) {
    if (textIn(event, "event") != "round_started" || !event.contains("regions"))
      continue;
    std::vector<RoundRow> &rows = recorded.emplace_back();
    for (const Json &row : event["regions"])
      rows.push_back(readRow(row));
  }
}

Expected<std::vector<RoundRow>>
Rounds::begin(const std::vector<Prospect> &prospects,
              const std::vector<std::string> &hashes, CostUnit unit) {
  std::vector<RoundRow> rows;
  if (!recorded.empty()) {
    rows = std::move(recorded.front());
    recorded.pop_front();
    ++number;
  } else {
    auto planned = plan(prospects, hashes, unit);
    if (!planned)
      return planned;
    rows = std::move(*planned);
  }
  std::map<std::string, Ledger::Share> shares;
  for (const RoundRow &row : rows) {
    last[row.specHash] = row;
    if (row.share)
      shares[row.specHash] = *row.share;
  }
  run.ledger.share(std::move(shares));
  return rows;
}

Expected<std::vector<RoundRow>>
Rounds::plan(const std::vector<Prospect> &prospects,
             const std::vector<std::string> &hashes, CostUnit unit) {
  Cost left = leftOf(run.options.budget, run.ledger.spent());
  std::vector<RoundRow> rows;
  Json told = Json::array();
  for (const RoundPart &part : planRound(prospects, left, unit)) {
    RoundRow row;
    row.specHash = hashes[part.region];
    Usage used = run.ledger.spentBy(row.specHash);
    row.usedTokens = tokensOf(used);
    row.usedDollars = used.dollars;
    auto prospect =
        std::ranges::find(prospects, part.region, &Prospect::region);
    row.saving = prospect->saving;
    if (part.part < 1) {
      auto upTo = [&](double used, double left) {
        return std::isfinite(left) ? used + part.part * left : 0;
      };
      row.share = {upTo(row.usedTokens, left.tokens),
                   upTo(row.usedDollars, left.dollars)};
    }
    told.push_back(toJson(row));
    rows.push_back(std::move(row));
  }
  auto done = run.directory.events().append({{"event", "round_started"},
                                             {"round", ++number},
                                             {"regions", std::move(told)}});
  if (!done)
    return std::unexpected(done.error());
  return rows;
}

bool Rounds::madeProgress(const std::string &specHash) const {
  auto row = last.find(specHash);
  Usage used = run.ledger.spentBy(specHash);
  return row == last.end() || tokensOf(used) > row->second.usedTokens ||
         used.dollars > row->second.usedDollars;
}

} // namespace kclaw
