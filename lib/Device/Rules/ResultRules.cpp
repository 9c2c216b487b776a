//===- Rules/ResultRules.cpp - The order of the rules about a result ------===//
#include "Rules/ExactValue.h"
#include "Rules/NonFinite.h"
#include "Rules/NotWritten.h"
#include "Rules/SelectedValue.h"
#include "Rules/Threshold.h"
#include "Rules/WithinBudget.h"

namespace kclaw {

template <typename Rule> static constexpr ResultRule row() {
  return {Rule::name, Rule::refuses, Rule::explain};
}

/// From the plainest fault to the least: what was not written is wrong too, and
/// a lost NaN is also an infinite error.
static constexpr ResultRule resultRules[] = {
    row<NotWritten>(),        row<NanLost>(),      row<InfinityLost>(),
    row<SpuriousNonFinite>(), row<WithinBudget>(), row<SelectedValue>(),
    row<RepeatedIndex>(),     row<ExactValue>(),   row<Threshold>(),
};

const ResultRule *firstRefusal(const ResultCase &result) {
  for (const ResultRule &rule : resultRules)
    if (rule.refuses(result))
      return &rule;
  return nullptr;
}

std::string elementsOf(uint64_t part, const Comparison &found) {
  return std::to_string(part) + " of " + std::to_string(found.count) +
         " elements";
}

} // namespace kclaw
