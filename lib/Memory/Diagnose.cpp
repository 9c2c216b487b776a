//===- Diagnose.cpp - From features to allowed methods --------------------===//
#include "Scope.h"
#include "kernelclaw/Memory/Gate.h"

#include <algorithm>

namespace kclaw {

bool Diagnosis::allows(const std::string &method) const {
  return std::ranges::count(allowed, method,
                            [](const Method *one) { return one->name; }) > 0;
}

/// Why the preconditions refuse it; empty: they do not.
static std::string refusal(const Method &method, const Scope &scope) {
  for (const NamedCondition &precondition : method.preconditions) {
    if (permits(precondition, scope))
      continue;
    std::string why =
        scope.value(precondition.condition) ? "not met: " : "not known: ";
    return why + precondition.name + " (" + precondition.condition.text() +
           "): " + precondition.meaning;
  }
  return "";
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

Diagnosis diagnose(const MemoryBank &bank,
                   std::map<std::string, double> features) {
  Scope scope(bank, features);
  Diagnosis result;
  result.features = scope.numbers();
  result.predicates = scope.predicates();
  result.headroom = scope.headroom();
  for (const Case &one : bank.cases)
    if (fits(one, scope)) {
      result.match = &one;
      break;
    }
  for (const Method *method : candidates(bank, result.match)) {
    std::string why = refusal(*method, scope);
    if (why.empty())
      result.allowed.push_back(method);
    else
      result.refused.push_back({method->name, why});
  }
  if (!result.match)
    return result;
  for (const auto &[name, why] : result.match->forbidden)
    result.refused.push_back({name, "the case forbids it: " + why});
  for (const Method &method : bank.methods) {
    bool listed = std::ranges::count(result.match->allowed, method.name) ||
                  result.match->forbidden.contains(method.name);
    if (!listed)
      result.refused.push_back(
          {method.name, "case " + result.match->name + " does not list it",
           /*unlisted=*/true});
  }
  return result;
}

} // namespace kclaw
