//===- Ranking.cpp - What a method did in similar contexts ----------------===//
//
// Thompson sampling on the log of the gain. A Normal-inverse-gamma posterior
// for each method: a prior by its place in the case, experiences weighted by
// how similar their context is. docs/Learning.md has formulas and sources.
//
//===----------------------------------------------------------------------===//
#include "Posterior.h"
#include "kernelclaw/Memory/Gate.h"
#include "kernelclaw/Support/Counters.h"

#include <algorithm>
#include <cmath>

namespace kclaw {
namespace {

/// Prior: the case's first method is thought to gain 20 %, each further one
/// half of that; as certain as one experience; deviation of log gain about 0.3.
constexpr double firstGain = 1.2, nextShare = 0.5;
constexpr double priorRows = 1, priorShape = 2, priorVariance = 0.09;
/// A failure leaves the parent as it is and costs an attempt: as a loss of
/// 20 %. No loss counts more than half, for a slower kernel is not kept.
constexpr double failureGain = 0.8, worstGain = 0.5;

/// Kernel: what remains of the weight in another family and another case, and
/// the distance of log-scaled features at which it falls to exp(-1/2).
constexpr double otherFamily = 0.2, otherCase = 0.6, lengthScale = 0.15;

/// How much of the posterior's spread is drawn: posterior reshaping (Chapelle
/// and Li, "An Empirical Evaluation of Thompson Sampling", NIPS 2011). A method
/// that did not help a parent is not offered there again, so that exploring by
/// chance pays less than where choices repeat. Chosen on 39 regions of the
/// learning table, tested on the other 39 (docs/results/h200-learning.md).
constexpr double exploration = 0.35;

constexpr const char *families[] = {
    "isPointwise",   "isReduction",   "isNorm",       "isSoftmax",
    "isContraction", "isConvolution", "isDepthwise",  "isPooling",
    "isScan",        "isAttention",   "isRecurrence", "graph"};

double logScaled(double value) {
  return std::copysign(std::log1p(std::abs(value)), value);
}

bool sameFamily(const std::map<std::string, double> &a,
                const std::map<std::string, double> &b) {
  return std::ranges::all_of(families, [&](const char *name) {
    auto left = a.find(name), right = b.find(name);
    double first = left == a.end() ? 0 : left->second;
    double second = right == b.end() ? 0 : right->second;
    return first == second;
  });
}

struct Range {
  std::string name;
  double low, high;
};

/// Features with the range of the table, and the counters in percent.
const std::vector<Range> &ranges() {
  static const std::vector<Range> all = [] {
    std::vector<Range> all;
    for (const FeatureRow &row : featureTable())
      all.push_back({std::string(row.name), row.low, row.high});
    for (const CounterRow &row : counterTable)
      if (row.unit == "%")
        all.push_back({std::string(row.name), 0, 100});
    return all;
  }();
  return all;
}

/// Mean squared distance over the features that both know, each by the
/// logarithm of its range; a boolean that differs is 1.
double squaredDistance(const std::map<std::string, double> &a,
                       const std::map<std::string, double> &b) {
  double sum = 0;
  size_t shared = 0;
  for (const Range &row : ranges()) {
    auto left = a.find(row.name), right = b.find(row.name);
    if (left == a.end() || right == b.end())
      continue;
    double range = logScaled(row.high) - logScaled(row.low);
    double difference =
        (logScaled(left->second) - logScaled(right->second)) / range;
    sum += difference * difference;
    ++shared;
  }
  return shared ? sum / double(shared) : 1;
}

double similarity(const Diagnosis &diagnosis, const Experience &row) {
  double weight = std::exp(-squaredDistance(diagnosis.features, row.context) /
                           (2 * lengthScale * lengthScale));
  if (!sameFamily(diagnosis.features, row.context))
    weight *= otherFamily;
  if (row.caseName != (diagnosis.match ? diagnosis.match->name : ""))
    weight *= otherCase;
  return weight;
}

/// log gain that the row counts as.
double outcomeOf(const Experience &row) {
  if (row.outcome != Outcome::Ok || row.gain <= 0)
    return std::log(failureGain);
  return std::log(std::max(row.gain, worstGain));
}

/// FNV-1a: a method's draw does not depend on which others are there.
uint64_t mix(uint64_t seed, const std::string &name) {
  uint64_t hash = 1469598103934665603u ^ seed;
  for (unsigned char c : name)
    hash = (hash ^ c) * 1099511628211u;
  return hash;
}

} // namespace

std::vector<Ranked> rank(const Diagnosis &diagnosis,
                         const std::vector<Experience> &experiences,
                         const std::vector<std::string> &tried, uint64_t seed) {
  std::vector<double> weights;
  for (const Experience &row : experiences)
    weights.push_back(row.weight * similarity(diagnosis, row));
  std::vector<Ranked> order;
  for (size_t place = 0; place < diagnosis.allowed.size(); ++place) {
    const Method *method = diagnosis.allowed[place];
    double mean = diagnosis.match
                      ? std::log(firstGain) * std::pow(nextShare, double(place))
                      : 0;
    Posterior posterior(mean, priorRows, priorShape, priorVariance);
    for (size_t i = 0; i < experiences.size(); ++i)
      if (experiences[i].method == method->name)
        posterior.add(outcomeOf(experiences[i]), weights[i]);
    for (const std::string &name : tried)
      if (name == method->name)
        posterior.add(std::log(failureGain), 1);
    Draws draws(mix(seed, method->name));
    double drawn = posterior.mean() +
                   exploration * (posterior.draw(draws) - posterior.mean());
    order.push_back({method, std::exp(posterior.mean()),
                     posterior.deviationOfMean(), drawn, posterior.rows()});
  }
  std::ranges::stable_sort(order, std::ranges::greater(), &Ranked::draw);
  return order;
}

} // namespace kclaw
