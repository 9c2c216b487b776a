//===- WitnessSearch.cpp - Features that satisfy conditions ---------------===//
#include "WitnessSearch.h"

#include "Names.h"
#include "kernelclaw/Support/Counters.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace kclaw {
namespace {

constexpr size_t maxSteps = 120, restarts = 6;
/// One step in so many is by chance.
constexpr size_t chance = 5;

/// What a level knows besides the graph and the hardware.
struct LevelRow {
  const char *name;
  bool plan, time, counters;
};
constexpr LevelRow levelRows[] = {{"profiled", true, true, true},
                                  {"timed", true, true, false},
                                  {"static", true, false, false},
                                  {"spec", false, false, false}};

bool knows(const LevelRow &level, FeatureSource source) {
  switch (source) {
  case FeatureSource::Graph:
  case FeatureSource::Hardware:
    return true;
  case FeatureSource::Plan:
  case FeatureSource::Ptx:
  case FeatureSource::Resources:
    return level.plan;
  case FeatureSource::Time:
    return level.time;
  }
  return false;
}

/// Low and high of a counter, by its unit.
std::pair<double, double> rangeOf(const CounterRow &row) {
  if (row.unit == "%")
    return {0, 100};
  if (row.unit == "sectors/request" || row.unit == "threads")
    return {1, 32};
  return {0, 1e9};
}

/// Whether a feature of this unit may be a fraction.
bool isFractional(std::string_view unit) {
  return unit == "ratio" || unit == "%" || unit == "us" ||
         unit == "flops/byte" || unit == "waves";
}

/// Values of a number: its ends, steps between, and what conditions compare
/// with, from both sides.
std::vector<double> valuesOf(double low, double high, bool fractional,
                             const std::vector<double> &borders) {
  if (low == 0 && high == 1)
    return {0, 0.1, 0.5, 1};
  std::vector<double> values = {low, high};
  double from = std::max(low, 1.0);
  for (double part : {0.15, 0.3, 0.45, 0.6, 0.75, 0.9})
    values.push_back(std::round(from * std::pow(high / from, part)));
  for (double border : borders) {
    std::vector<double> near = {border, border - 1, border + 1};
    if (fractional)
      near.insert(near.end(), {border * 0.9, border * 1.1});
    for (double value : near)
      if (value >= low && value <= high &&
          (fractional || value == std::round(value)))
        values.push_back(value);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

} // namespace

const std::vector<std::string> &WitnessSearch::levels() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> names;
    for (const LevelRow &row : levelRows)
      names.emplace_back(row.name);
    return names;
  }();
  return names;
}

WitnessSearch::WitnessSearch(const MemoryBank &bank,
                             const std::map<std::string, double> &base)
    : bank(bank), base(base) {
  for (const auto *list : {&bank.derived, &bank.predicates})
    for (const NamedCondition &entry : *list)
      for (const std::string &name : entry.condition.names()) {
        auto &own = behind[entry.name];
        auto inner = behind.find(name);
        if (inner == behind.end() || name == entry.name)
          own.push_back(name);
        else
          own.insert(own.end(), inner->second.begin(), inner->second.end());
      }
  // Borders of each feature: the numbers of conditions that read it.
  std::map<std::string, std::vector<double>> borders;
  auto addBorders = [&](const Condition &condition) {
    for (const std::string &name : condition.names())
      for (const std::string &feature : featuresBehind({{name}, nullptr}))
        for (double number : condition.numbers())
          borders[feature].push_back(number);
  };
  for (const auto *list :
       {&bank.derived, &bank.predicates, &bank.headrooms, &bank.consistency})
    for (const NamedCondition &entry : *list)
      addBorders(entry.condition);
  for (const Method &method : bank.methods)
    for (const NamedCondition &entry : method.preconditions)
      addBorders(entry.condition);
  for (const FeatureRow &row : featureTable()) {
    std::string name(row.name);
    bool boolean = row.unit == "bool";
    candidates[name] = boolean
                           ? std::vector<double>{0, 1}
                           : valuesOf(row.low, row.high, isFractional(row.unit),
                                      borders[name]);
  }
  for (const CounterRow &row : counterTable) {
    auto [low, high] = rangeOf(row);
    std::string name(row.name);
    candidates[name] = valuesOf(low, high, true, borders[name]);
  }
  for (const NamedCondition &entry : bank.consistency)
    consistency.push_back({entry.condition.names(), [&entry](const Scope &s) {
                             return s.value(entry.condition).value_or(1) != 0;
                           }});
}

std::vector<std::string>
WitnessSearch::featuresBehind(const Clause &clause) const {
  std::vector<std::string> features;
  for (const std::string &name : clause.names) {
    auto inner = behind.find(name);
    if (inner == behind.end())
      features.push_back(name);
    else
      features.insert(features.end(), inner->second.begin(),
                      inner->second.end());
  }
  std::ranges::sort(features);
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

bool WitnessSearch::consistent(const Scope &scope) const {
  return std::ranges::all_of(
      consistency, [&](const Clause &clause) { return clause.holds(scope); });
}

std::map<std::string, double>
WitnessSearch::features(const std::string &level,
                        const std::map<std::string, double> &changes) const {
  auto row = std::ranges::find_if(
      levelRows, [&](const LevelRow &one) { return level == one.name; });
  std::map<std::string, double> features;
  auto add = [&](std::string_view name, bool known) {
    auto found = base.find(std::string(name));
    if (known && found != base.end())
      features.insert(*found);
  };
  if (row == std::end(levelRows))
    return features;
  for (const FeatureRow &feature : featureTable())
    add(feature.name, knows(*row, feature.source));
  for (const CounterRow &counter : counterTable)
    // Counters without a metric are computed from the launch.
    add(counter.name, counter.metric.empty() ? row->plan : row->counters);
  for (const auto &[name, value] : changes)
    if (auto found = features.find(name); found != features.end())
      found->second = value;
  return features;
}

size_t WitnessSearch::violations(const std::map<std::string, double> &features,
                                 const std::vector<Clause> &clauses,
                                 std::vector<const Clause *> *which) const {
  Scope scope(bank, features);
  size_t count = 0;
  for (const auto *list : {&clauses, &consistency})
    for (const Clause &clause : *list)
      if (!clause.holds(scope)) {
        ++count;
        if (which)
          which->push_back(&clause);
      }
  return count;
}

std::optional<std::map<std::string, double>>
WitnessSearch::find(const std::vector<Clause> &clauses,
                    const std::string &level, uint64_t seed) const {
  std::mt19937_64 engine(seed);
  auto below = [&](size_t n) { return size_t(engine() % n); };
  std::map<std::string, double> start = features(level, {});
  for (size_t restart = 0; restart < restarts; ++restart) {
    std::map<std::string, double> state = start;
    for (size_t step = 0; step < maxSteps; ++step) {
      std::vector<const Clause *> open;
      if (violations(state, clauses, &open) == 0) {
        std::map<std::string, double> changes;
        for (const auto &[name, value] : state)
          if (start[name] != value)
            changes[name] = value;
        return changes;
      }
      std::vector<std::string> movable;
      for (const std::string &name : featuresBehind(*open[below(open.size())]))
        if (state.contains(name))
          movable.push_back(name);
      if (movable.empty())
        break;
      if (below(chance) == 0) {
        const std::string &name = movable[below(movable.size())];
        const auto &values = candidates.at(name);
        state[name] = values[below(values.size())];
        continue;
      }
      // The best single change; of equals, one by chance.
      size_t fewest = SIZE_MAX, equals = 0;
      std::pair<std::string, double> best;
      for (const std::string &name : movable) {
        double before = state[name];
        for (double value : candidates.at(name)) {
          if (value == before)
            continue;
          state[name] = value;
          size_t count = violations(state, clauses);
          equals = count < fewest ? 0 : equals;
          if (count < fewest || (count == fewest && below(++equals + 1) == 0))
            best = {name, value};
          fewest = std::min(fewest, count);
        }
        state[name] = before;
      }
      state[best.first] = best.second;
    }
  }
  return std::nullopt;
}

} // namespace kclaw
