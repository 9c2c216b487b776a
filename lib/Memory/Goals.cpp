//===- Goals.cpp - What a witness has to show -----------------------------===//
#include "Goals.h"

#include "Names.h"

#include <algorithm>

namespace kclaw {

std::vector<std::string> partsOf(const Case &one) {
  std::vector<std::string> parts;
  for (const std::string *name : {&one.bottleneck, &one.structure})
    if (*name != "any")
      parts.push_back(*name);
  parts.insert(parts.end(), one.signature.begin(), one.signature.end());
  if (one.headroom != "any")
    parts.push_back("headroom");
  if (!one.when.text().empty())
    parts.push_back("when");
  return parts;
}

std::optional<bool> partHolds(const Case &one, const std::string &part,
                              const Scope &scope) {
  if (part == "headroom") {
    std::vector<std::string> tiers = splitTiers(one.headroom);
    return std::ranges::count(tiers, scope.headroom()) > 0;
  }
  std::optional<double> known;
  bool negated = part.starts_with("not ");
  if (part == "when")
    known = scope.value(one.when);
  else
    known = scope.value(negated ? part.substr(4) : part);
  if (!known)
    return std::nullopt;
  return (*known != 0) != negated;
}

static std::vector<std::string> namesOf(const MemoryBank &bank, const Case &one,
                                        const std::string &part) {
  if (part == "when")
    return one.when.names();
  if (part != "headroom")
    return {part.starts_with("not ") ? part.substr(4) : part};
  std::vector<std::string> names;
  for (const NamedCondition &tier : bank.headrooms)
    for (const std::string &name : tier.condition.names())
      names.push_back(name);
  return names;
}

static Clause partClause(const MemoryBank &bank, const Case &one,
                         const std::string &part, bool wanted) {
  return {namesOf(bank, one, part), [&one, part, wanted](const Scope &scope) {
            auto known = partHolds(one, part, scope);
            return known && *known == wanted;
          }};
}

static Clause earlierClause(const MemoryBank &bank, const Case &earlier) {
  std::vector<std::string> names;
  for (const std::string &part : partsOf(earlier))
    for (const std::string &name : namesOf(bank, earlier, part))
      names.push_back(name);
  return {names,
          [&earlier](const Scope &scope) { return !fits(earlier, scope); }};
}

std::vector<Clause> clausesOf(const MemoryBank &bank, const Witness &goal) {
  std::vector<Clause> clauses;
  auto found = std::ranges::find(bank.cases, goal.caseName, &Case::name);
  if (found == bank.cases.end())
    return {};
  for (const std::string &part : partsOf(*found))
    clauses.push_back(partClause(bank, *found, part, part != goal.without));
  for (auto earlier = bank.cases.begin(); earlier != found; ++earlier)
    clauses.push_back(earlierClause(bank, *earlier));
  if (goal.method.empty())
    return clauses;
  const Case &in = *found;
  const Method *method = bank.method(goal.method);
  if (!method)
    return {};
  for (const NamedCondition &one : method->preconditions) {
    bool violated = one.name == goal.precondition;
    clauses.push_back(
        {one.condition.names(), [&one, &in, violated](const Scope &scope) {
           if (!violated)
             return permits(one, scope, &in);
           auto known = scope.value(one.condition);
           return known && *known == 0;
         }});
  }
  return clauses;
}

} // namespace kclaw
