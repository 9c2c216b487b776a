//===- Diagnose.cpp - From features to allowed methods --------------------===//
#include "Scope.h"
#include "kernelclaw/Memory/Gate.h"

#include <algorithm>

namespace kclaw {

bool Diagnosis::allows(const std::string &method) const {
  return std::ranges::count(allowed, method,
                            [](const Method *one) { return one->name; }) > 0;
}

static std::string describe(const NamedCondition &precondition) {
  return precondition.name + " (" + precondition.condition.text() +
         "): " + precondition.meaning;
}

/// Why the preconditions refuse it; empty: they do not.
static std::string refusal(const Method &method, const Scope &scope,
                           const Case *match) {
  for (const NamedCondition &precondition : method.preconditions)
    if (!permits(precondition, scope, match))
      return (scope.value(precondition.condition) ? "not met: "
                                                  : "not known: ") +
             describe(precondition);
  return "";
}

/// Preconditions whose value is not known; empty where there is no plan yet,
/// which they wait for.
static std::string unknownOf(const Method &method, const Scope &scope) {
  std::string text;
  for (const NamedCondition &precondition : method.preconditions)
    if (scope.value(std::string("kernels")) &&
        !scope.value(precondition.condition))
      text += (text.empty() ? "" : "; ") + describe(precondition);
  return text;
}

static const Case *firstThatFits(const MemoryBank &bank, const Scope &scope) {
  for (const Case &one : bank.cases)
    if (fits(one, scope))
      return &one;
  return nullptr;
}

/// The case of the region alone: features of graph and hardware.
static const Case *caseOfRegion(const MemoryBank &bank,
                                const std::map<std::string, double> &features) {
  std::map<std::string, double> known;
  for (const FeatureRow &row : featureTable())
    if (row.source == FeatureSource::Graph ||
        row.source == FeatureSource::Hardware)
      if (auto found = features.find(std::string(row.name));
          found != features.end())
        known.insert(*found);
  return firstThatFits(bank, Scope(bank, known));
}

/// The methods that the case lists, or all.
static std::vector<const Method *> candidates(const MemoryBank &bank,
                                              const Case *match) {
  std::vector<const Method *> methods;
  if (match)
    for (const std::string &name : match->allowed)
      methods.push_back(bank.method(name));
  else
    for (const Method &method : bank.methods)
      methods.push_back(&method);
  return methods;
}

/// Sorts the methods that the match says nothing of: those of the region's own
/// case by their preconditions, all others as not listed.
static void addUnlisted(const MemoryBank &bank, const Scope &scope,
                        const std::map<std::string, double> &features,
                        Diagnosis &result) {
  const Case &match = *result.match;
  const Case *own = scope.value(std::string("kernels"))
                        ? caseOfRegion(bank, features)
                        : nullptr;
  auto isListed = [&](const std::string &name) {
    return std::ranges::count(match.allowed, name) ||
           match.forbidden.contains(name);
  };
  std::map<std::string, std::string> whys;
  for (const std::string &name :
       own ? own->allowed : std::vector<std::string>()) {
    if (isListed(name))
      continue;
    // What is not known does not refuse: nothing here is said by numbers.
    Case open;
    open.unknownPasses = true;
    const Method *method = bank.method(name);
    whys[name] = refusal(*method, scope, &open);
    if (whys[name].empty())
      result.notIndicated.push_back(method);
  }
  for (const Method &method : bank.methods) {
    if (isListed(method.name))
      continue;
    auto why = whys.find(method.name);
    bool refuses = why != whys.end() && !why->second.empty();
    result.refused.push_back(
        {method.name,
         refuses ? why->second : "case " + match.name + " does not list it",
         /*unlisted=*/!refuses});
  }
}

Diagnosis diagnose(const MemoryBank &bank,
                   std::map<std::string, double> features) {
  Scope scope(bank, features);
  Diagnosis result;
  result.features = scope.numbers();
  result.predicates = scope.predicates();
  result.headroom = scope.headroom();
  result.match = firstThatFits(bank, scope);
  for (const Method *method : candidates(bank, result.match)) {
    std::string why = refusal(*method, scope, result.match);
    if (why.empty())
      result.allowed.push_back(method);
    else
      result.refused.push_back({method->name, why});
  }
  if (result.match) {
    for (const auto &[name, why] : result.match->forbidden)
      result.refused.push_back({name, "the case forbids it: " + why});
    addUnlisted(bank, scope, features, result);
  }
  for (const auto *list : {&result.allowed, &result.notIndicated})
    for (const Method *method : *list)
      if (std::string text = unknownOf(*method, scope); !text.empty())
        result.unknown[method->name] = text;
  return result;
}

} // namespace kclaw
