//===- Names.cpp - What conditions may name -------------------------------===//
#include "Names.h"

#include "kernelclaw/Support/Counters.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace kclaw {

bool isFeature(std::string_view name) {
  return std::ranges::any_of(
      featureTable(), [&](const FeatureRow &row) { return row.name == name; });
}

bool isCounter(std::string_view name) {
  return std::ranges::any_of(
      counterTable, [&](const CounterRow &row) { return row.name == name; });
}

NameSet featureNames() {
  NameSet names;
  for (const FeatureRow &row : featureTable())
    names.emplace(row.name);
  for (const CounterRow &row : counterTable)
    names.emplace(row.name);
  return names;
}

/// Insertions, deletions and replacements from one to the other.
static size_t editDistance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 1; i <= from.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= to.size(); ++j) {
      size_t replaced = diagonal + (from[i - 1] != to[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string unknownName(const std::string &what, const std::string &name,
                        const NameSet &known) {
  std::string text = "unknown " + what + " '" + name + "'";
  auto nearest = std::ranges::min_element(
      known, {}, [&](const auto &other) { return editDistance(name, other); });
  if (nearest != known.end() &&
      editDistance(name, *nearest) <= name.size() / 3 + 1)
    text += "; did you mean '" + *nearest + "'?";
  return text;
}

std::vector<std::string> splitTiers(const std::string &text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '|');)
    parts.push_back(part);
  return parts;
}

} // namespace kclaw
