//===- Scope.cpp - Values of all names in one context ---------------------===//
#include "Scope.h"

#include "Names.h"

#include <algorithm>

namespace kclaw {

Scope::Scope(const MemoryBank &bank,
             const std::map<std::string, double> &features)
    : bank(bank), values(features) {
  for (const auto *list : {&bank.derived, &bank.predicates})
    for (const NamedCondition &entry : *list)
      if (auto known = value(entry.condition))
        values[entry.name] = *known;
  for (const NamedCondition &entry : bank.headrooms)
    if (holds(entry.condition)) {
      tier = entry.name;
      break;
    }
}

std::optional<double> Scope::value(const std::string &name) const {
  auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

bool Scope::holdsTerm(const std::string &term) const {
  if (term == "any")
    return true;
  bool negated = term.starts_with("not ");
  auto known = value(negated ? term.substr(4) : term);
  return known && (*known != 0) != negated;
}

std::map<std::string, double> Scope::numbers() const {
  std::map<std::string, double> numbers = values;
  for (const NamedCondition &predicate : bank.predicates)
    numbers.erase(predicate.name);
  return numbers;
}

std::vector<std::string> Scope::predicates() const {
  std::vector<std::string> names;
  for (const NamedCondition &predicate : bank.predicates)
    if (holdsTerm(predicate.name))
      names.push_back(predicate.name);
  return names;
}

static bool tierFits(const Case &one, const Scope &scope) {
  std::vector<std::string> tiers = splitTiers(one.headroom);
  return std::ranges::any_of(tiers, [&](const std::string &tier) {
    return tier == "any" || tier == scope.headroom();
  });
}

bool fits(const Case &one, const Scope &scope) {
  return scope.holdsTerm(one.bottleneck) && scope.holdsTerm(one.structure) &&
         std::ranges::all_of(
             one.signature,
             [&](const std::string &term) { return scope.holdsTerm(term); }) &&
         tierFits(one, scope) && scope.holds(one.when);
}

bool permits(const NamedCondition &precondition, const Scope &scope,
             const Case *match) {
  auto known = scope.value(precondition.condition);
  if (known)
    return *known != 0;
  return (match && match->unknownPasses) ||
         !scope.value(std::string("kernels"));
}

} // namespace kclaw
