//===- Prospect.cpp - What another attempt at a region is worth -----------===//
#include "Prospect.h"

#include <algorithm>

namespace kclaw {
namespace {

/// How far one attempt moves the estimate: the last one counts half.
constexpr double step = 0.5;

bool fits(const Cost &cost, const Cost &left) {
  return cost.tokens <= left.tokens && cost.dollars <= left.dollars;
}

Cost &operator+=(Cost &sum, const Cost &cost) {
  sum.tokens += cost.tokens;
  sum.dollars += cost.dollars;
  return sum;
}

Cost operator*(double factor, const Cost &cost) {
  return {factor * cost.tokens, factor * cost.dollars};
}

/// Of what all attempts that may still come cost; nullopt: nobody knows yet.
std::optional<Cost> needOf(const std::vector<Prospect> &prospects) {
  Cost need;
  for (const Prospect &prospect : prospects) {
    if (prospect.cost.tokens <= 0 && prospect.cost.dollars <= 0)
      return std::nullopt;
    need += double(prospect.attemptsLeft) * prospect.cost;
  }
  return need;
}

} // namespace

double expectedSaving(const Tree &tree, const RegionWeight &weight) {
  double stock = weight.stockMicroseconds, bound = weight.boundMicroseconds;
  double speedup = 1; // of the best so far
  double part = 1;    // of what is left that an attempt takes away
  int inVain = 0;     // attempts since the last gain
  auto left = [&] { return std::max(0.0, stock / speedup - bound); };
  for (const AttemptRecord &record : tree.records()) {
    const Evaluation &evaluation = record.evaluation;
    if (double time = evaluation.stockTime.medianMicroseconds;
        time > 0 && speedup == 1)
      stock = time;
    double headroom = headroomOf(evaluation);
    if (headroom > 0 && evaluation.speedup > 0)
      bound = stock / evaluation.speedup / headroom;
    double before = left(), taken = 0;
    if (record.promoted && evaluation.speedup > 0) {
      speedup = evaluation.speedup;
      taken = before > 0 ? std::clamp(1 - left() / before, 0.0, 1.0) : 0;
    }
    part += step * (taken - part);
    inVain = taken > 0 ? 0 : inVain + 1;
  }
  return weight.uses * left() * part / (1 + inVain);
}

CostUnit costUnit(const Provider &provider) {
  Usage bound = provider.bound(Conversation());
  if (bound.dollars > 0)
    return CostUnit::Dollars;
  return bound.inputTokens + bound.outputTokens > 0 ? CostUnit::Tokens
                                                    : CostUnit::Attempts;
}

void CostSum::add(const Tree &tree) {
  for (const AttemptRecord &record : tree.records()) {
    double tokens =
        double(record.usage.inputTokens + record.usage.outputTokens);
    if (tokens <= 0 && record.usage.dollars <= 0)
      continue;
    sum += {tokens, record.usage.dollars};
    ++attempts;
  }
}

Cost CostSum::expected(const CostSum &all) const {
  if (all.attempts == 0)
    return {};
  Cost cost = (1.0 / all.attempts) * all.sum;
  cost += sum;
  return (1.0 / (attempts + 1)) * cost;
}

double Prospect::index(CostUnit unit) const {
  double cost = unit == CostUnit::Dollars  ? this->cost.dollars
                : unit == CostUnit::Tokens ? this->cost.tokens
                                           : 1;
  return saving / (cost > 0 ? cost : 1);
}

void sortByIndex(std::vector<Prospect> &prospects, CostUnit unit) {
  std::ranges::sort(prospects, [unit](const Prospect &a, const Prospect &b) {
    double x = a.index(unit), y = b.index(unit);
    return x != y ? x > y : a.region < b.region;
  });
}

std::vector<RoundPart> planRound(std::vector<Prospect> prospects,
                                 const Cost &left, CostUnit unit) {
  sortByIndex(prospects, unit);
  if (prospects.front().needsAll)
    return {{prospects.front().region, 1}};
  double best = prospects.front().index(unit);
  std::erase_if(prospects, [](const Prospect &p) { return p.needsAll; });
  std::optional<Cost> need = needOf(prospects);
  bool paysForAll = need && fits(*need, left);
  std::vector<Prospect> chosen;
  Cost sum;
  for (const Prospect &prospect : prospects) {
    Cost more = sum;
    more += prospect.cost;
    bool waits = prospect.index(unit) < waitsBelow * best || !fits(more, left);
    if (!chosen.empty() && waits && !paysForAll)
      break;
    chosen.push_back(prospect);
    sum = more;
  }
  // By what an attempt costs, so that each can pay for its own.
  auto costOf = [&](const Prospect &prospect) {
    double cost = unit == CostUnit::Dollars ? prospect.cost.dollars
                                            : prospect.cost.tokens;
    return cost > 0 ? cost : 1;
  };
  double total = 0;
  for (const Prospect &prospect : chosen)
    total += costOf(prospect);
  std::vector<RoundPart> parts;
  for (const Prospect &prospect : chosen)
    parts.push_back({prospect.region, costOf(prospect) / total});
  return parts;
}

} // namespace kclaw
