//===- ResultJudge.cpp - Results of one draw, by the rules ----------------===//
#include "ResultJudge.h"
#include "Conditioning.h"
#include "PerturbedReference.h"

#include <algorithm>

namespace kclaw {

/// Further seeds of a distribution, when stock's error decides.
constexpr uint64_t furtherSeeds = 2;

std::vector<CUdeviceptr> addresses(const std::vector<GuardedBuffer> &buffers) {
  std::vector<CUdeviceptr> list;
  for (const GuardedBuffer &buffer : buffers)
    list.push_back(buffer.address());
  return list;
}

Run<void> blame(Run<void> result, const std::string &who) {
  if (result)
    return result;
  RunFailure failure = result.error();
  failure.rule = who + "-" + failure.rule;
  failure.outcome = Outcome::Rejected;
  failure.message = "not judged: " + failure.message;
  return std::unexpected(failure);
}

ResultJudge::ResultJudge(Workload &load, Scope scope)
    : load(load), scope(scope) {
  for (size_t i = 0; i < load.problem->results.size(); ++i)
    classes.push_back(classifyResult(*load.spec, i));
}

Run<void> ResultJudge::keepSpreads() {
  if (scope == Scope::Module || !spreads.empty())
    return {};
  std::vector<size_t> conditioned;
  for (size_t i = 0; i < classes.size(); ++i)
    if (classes[i].conditioned && load.problem->results[i].count > 0)
      conditioned.push_back(i);
  spreads.resize(classes.size());
  return load.keepSpreads(conditioned);
}

Run<void> ResultJudge::runReferences() {
  KCLAW_TRY(keepSpreads());
  KCLAW_TRY(blame(runMovedReference(load, nanPoison), "reference"));
  for (Contender *who : {&load.stock(), &load.reference()})
    KCLAW_TRY(blame(load.computeResults(*who, nanPoison), who->name));
  for (size_t i = 0; i < load.problem->results.size(); ++i)
    KCLAW_TRY(computeRowScales(load, i));
  Run<std::vector<double>> measured = measureSpreads(load);
  if (!measured)
    return std::unexpected(measured.error());
  spreads = std::move(*measured);
  return {};
}

bool ResultJudge::isIllConditioned(size_t result) const {
  return result < spreads.size() &&
         kclaw::isIllConditioned(load, result, spreads[result]);
}

double ResultJudge::familyBudget(size_t result,
                                 const Distribution &distribution) const {
  return kclaw::familyBudget(*load.spec, load.problem->results[result].dtype,
                             distribution.name);
}

Run<std::vector<Comparison>>
ResultJudge::compareStock(const Distribution &distribution) {
  std::vector<Comparison> all;
  for (size_t i = 0; i < load.problem->results.size(); ++i) {
    Run<Comparison> found = compare(load, {i, load.stock().results[i].address(),
                                           familyBudget(i, distribution),
                                           nanPoison, 0, &classes[i]});
    if (!found)
      return std::unexpected(found.error());
    all.push_back(*found);
    stockErrors.add(distribution.name, i, found->error());
  }
  return all;
}

Budget ResultJudge::budget(size_t result,
                           const Distribution &distribution) const {
  double stock = stockErrors.of(distribution.name, result);
  if (!isFloatResult(result)) {
    // Near a threshold stock may be on the other side too.
    bool rounds = classes[result].jumps;
    return {0, !rounds && stock > 0};
  }
  double family = familyBudget(result, distribution);
  Budget budget = budgetFor(family, stock);
  if (scope != Scope::Region)
    budget.bound = moduleBound(family, stock);
  return budget;
}

bool ResultJudge::provesNothing(size_t result, const Distribution &distribution,
                                const Comparison &stock) const {
  // A 16-bit value inside overflows on these data: stock's result is arbitrary.
  if (scope != Scope::Module)
    return isFloatResult(result) && narrowIntermediates(*load.spec) > 0 &&
           !(stock.error() < uselessBound);
  if (!isFloatResult(result))
    return stock.count > 1 && stock.mismatches > stock.count / 4;
  double bound = moduleBound(familyBudget(result, distribution), stock.error());
  return !(bound < uselessBound);
}

ResultCase ResultJudge::caseOf(const JudgedResult &judged,
                               const Comparison &found) const {
  uint64_t allowed = scope == Scope::Module ? 2 * judged.stock.mismatches : 0;
  return {found, judged.budget.bound, classes[judged.result].kind, allowed};
}

const ResultRule *ResultJudge::refusal(const JudgedResult &judged,
                                       const Comparison &found) const {
  return firstRefusal(caseOf(judged, found));
}

ComparedResult ResultJudge::compared(const JudgedResult &judged,
                                     CUdeviceptr data,
                                     uint8_t poisonByte) const {
  return {judged.result, data, judged.budget.bound,
          poisonByte,    0,    &classes[judged.result]};
}

Run<void> ResultJudge::compareBoth(std::vector<JudgedResult> &all,
                                   const std::vector<CUdeviceptr> &first,
                                   const std::vector<CUdeviceptr> &second) {
  for (JudgedResult &judged : all) {
    size_t i = judged.result;
    Run<Comparison> found =
        compare(load, compared(judged, first[i], nanPoison));
    if (found && judged.twice) {
      judged.first = *found;
      found = compare(load, compared(judged, second[i], hugePoison));
    } else if (found) {
      judged.first = *found;
    }
    if (!found)
      return std::unexpected(found.error());
    judged.second = *found;
  }
  return {};
}

/// Stock on further seeds of the distribution; true when a bound grew. Inputs,
/// stock and reference are afterwards those of the current draw again.
Run<bool> ResultJudge::widen(const Distribution &distribution,
                             std::vector<JudgedResult> &all) {
  const Draw drawn = load.drawn();
  Draw other = drawn;
  for (uint64_t seed = 0; seed < furtherSeeds; ++seed) {
    other.run = firstFurtherRun + seed;
    KCLAW_TRY(load.draw(other));
    KCLAW_TRY(runReferences());
    if (auto stock = compareStock(distribution); !stock)
      return std::unexpected(stock.error());
  }
  KCLAW_TRY(load.draw(drawn));
  KCLAW_TRY(runReferences());
  bool grew = false;
  for (JudgedResult &judged : all) {
    Budget now = budget(judged.result, distribution);
    grew |= now.bound > judged.budget.bound;
    judged.budget = now;
  }
  return grew;
}

Run<void> ResultJudge::lookAgain(const Distribution &distribution,
                                 std::vector<JudgedResult> &all,
                                 const std::vector<CUdeviceptr> &first,
                                 const std::vector<CUdeviceptr> &second) {
  auto nearly = [](const JudgedResult &judged, const Comparison &found) {
    return isNearMiss(found.error(), judged.budget.bound, judged.familyBudget);
  };
  if (std::ranges::any_of(all, [&](const JudgedResult &judged) {
        return nearly(judged, judged.first) || nearly(judged, judged.second);
      })) {
    Run<bool> grew = widen(distribution, all);
    if (!grew)
      return std::unexpected(grew.error());
    if (*grew)
      KCLAW_TRY(compareBoth(all, first, second));
  }
  std::vector<Doubt> doubts;
  double epsilon = innerBudget(*load.spec, distribution.name);
  for (JudgedResult &judged : all) {
    size_t i = judged.result;
    double bound = judged.budget.bound;
    if (isDoubtful(judged.first, classes[i], bound))
      doubts.push_back(
          {compared(judged, first[i], nanPoison), epsilon, &judged.first});
    if (judged.twice && isDoubtful(judged.second, classes[i], bound))
      doubts.push_back(
          {compared(judged, second[i], hugePoison), epsilon, &judged.second});
  }
  KCLAW_TRY(blame(resolveDoubts(load, doubts, nanPoison), "reference"));
  for (JudgedResult &judged : all)
    if (!judged.twice)
      judged.second = judged.first;
  return {};
}

Run<std::vector<JudgedResult>>
ResultJudge::judge(const Distribution &distribution,
                   const std::vector<Comparison> &stock,
                   const std::vector<CUdeviceptr> &first,
                   const std::vector<CUdeviceptr> &second) {
  std::vector<JudgedResult> all(stock.size());
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].result = i;
    all[i].budget = budget(i, distribution);
    all[i].familyBudget = familyBudget(i, distribution);
    all[i].stock = stock[i];
    all[i].twice = !second.empty();
  }
  KCLAW_TRY(compareBoth(all, first, second));
  KCLAW_TRY(lookAgain(distribution, all, first, second));
  return all;
}

} // namespace kclaw
