//===- Correctness.cpp - Is the candidate right? --------------------------===//
#include "Correctness.h"
#include "Explain/ExplainMismatch.h"
#include "Rules/Redraw.h"
#include "Rules/Repeatability.h"
#include "TaskChecks.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace kclaw {

static uint64_t poolRun(size_t distribution, int level) {
  return 1 + distribution * levels + static_cast<uint64_t>(level);
}

/// JSON has no infinity.
static double finite(double value) {
  return std::isfinite(value) ? value : 1e308;
}

Run<void> CorrectnessCheck::run() {
  for (size_t i = 0; i < std::size(distributions); ++i) {
    // What is planted last says nothing where ordinary data do not.
    if (distributions[i].kind == KclSpecial && verdict && ordinary > 0)
      KCLAW_TRY(requireTelling());
    KCLAW_TRY(checkDistribution(i));
  }
  KCLAW_TRY(load.place(Placement::Wide));
  if (ordinary == 0 && whyUndiscriminating.empty())
    return failRun(Outcome::Rejected, rules::noDistribution,
                   "not judged: no distribution keeps the reference finite");
  if (ordinary == 0)
    return failRun(Outcome::Rejected, rules::undiscriminating,
                   "not judged: " + whyUndiscriminating);
  if (!verdict)
    return verdict;
  return requireTelling();
}

Run<void> CorrectnessCheck::checkDistribution(size_t index) {
  const Distribution &distribution = distributions[index];
  // NaN fills most of a whole network and hides what is to be seen.
  if (distribution.kind == KclSpecial &&
      (scope == Scope::Module || !takesSpecials(*load.spec)))
    return {};
  // At exactly the declared alignment in every other one.
  KCLAW_TRY(load.place(index % 2 == 0 ? Placement::Exact : Placement::Wide));
  std::string why;
  for (int level = 0; level < levels; ++level) {
    Run<std::string> unusable = tryLevel(index, level);
    if (!unusable)
      return std::unexpected(unusable.error());
    why = *unusable;
    if (!why.empty()) {
      results.forget(distribution);
      continue;
    }
    if (level > 0)
      note("'" + std::string(distribution.name) + "' at level " +
           std::to_string(level));
    ++used;
    ordinary += distribution.kind != KclSpecial;
    return {};
  }
  note("'" + std::string(distribution.name) + "' dropped: " + why);
  if (index > 0 || why != Redraw::zero)
    return {};
  undiscriminating.push_back({0, distribution.name, "zeros"});
  whyUndiscriminating = "on '" + std::string(distribution.name) +
                        "' data zeros would pass: " + why;
  return {};
}

Run<void> CorrectnessCheck::runCandidateTwice(bool &bitwiseEqual) {
  Contender &candidate = load.candidate();
  KCLAW_TRY(load.poison(candidate, nanPoison));
  KCLAW_TRY(load.armGuards(candidate));
  KCLAW_TRY(load.runAndWait(candidate));
  KCLAW_TRY(load.checkGuards(candidate));
  KCLAW_TRY(load.checkInputs(load.label(candidate)));
  KCLAW_TRY(load.show());
  for (size_t i = 0; i < candidate.results.size(); ++i)
    KCLAW_TRY(load.session->copy(load.firstResults[i].address(),
                                 candidate.results[i].address(),
                                 candidate.results[i].bytes()));
  // Prepared once, called often: the second call has what the first one left.
  KCLAW_TRY(load.poison(candidate, hugePoison, Workload::Prepared::Keep));
  KCLAW_TRY(load.runAndWait(candidate, Workload::Prepared::Keep));
  KCLAW_TRY(candidate.prepared.check(
      *load.session, candidate.program->scratch(), candidate.scratch));
  KCLAW_TRY(load.show());
  Run<CUdeviceptr> counters = load.session->resetCounters();
  if (!counters)
    return std::unexpected(counters.error());
  for (size_t i = 0; i < candidate.results.size(); ++i) {
    CUdeviceptr first = load.firstResults[i].address();
    CUdeviceptr second = candidate.results[i].address();
    uint64_t bytes = candidate.results[i].bytes();
    void *args[] = {&first, &second, &bytes, &*counters};
    KCLAW_TRY(load.session->launch(load.session->kernels().countDifferent,
                                   bytes, args));
  }
  auto different = load.session->readCounters();
  if (!different)
    return std::unexpected(different.error());
  bitwiseEqual = different->first == 0;
  repeatable &= bitwiseEqual;
  return {};
}

std::string
CorrectnessCheck::unusable(const Distribution &distribution, int level,
                           const std::vector<Comparison> &stock) const {
  std::vector<DataCase> cases;
  for (size_t i = 0; i < stock.size(); ++i) {
    if (results.provesNothing(i, distribution, stock[i]))
      return "stock is too inaccurate to judge by";
    if (level + 1 < levels && distribution.kind != KclSpecial &&
        results.isIllConditioned(i))
      return "the result is much smaller than what it is made of";
    cases.push_back({stock[i], results.isFloatResult(i),
                     distribution.kind == KclSpecial, level + 1 == levels,
                     scope == Scope::Module});
  }
  return Redraw::reasonOfAll(cases);
}

Run<std::string> CorrectnessCheck::tryLevel(size_t index, int level) {
  const Distribution &distribution = distributions[index];
  Draw draw;
  draw.distribution = &distribution;
  draw.level = level;
  draw.run = poolRun(index, level);
  bool bitwiseEqual = true;
  KCLAW_TRY(load.draw(draw));
  KCLAW_TRY(runCandidateTwice(bitwiseEqual));
  KCLAW_TRY(results.runReferences());
  Run<std::vector<Comparison>> stock = results.compareStock(distribution);
  if (!stock)
    return std::unexpected(stock.error());
  if (std::string why = unusable(distribution, level, *stock); !why.empty())
    return why;
  KCLAW_TRY(judgeResults(distribution, *stock, bitwiseEqual));
  // A wrong result is the graver reason.
  if (verdict)
    verdict =
        Deterministic::check(deterministic, bitwiseEqual, distribution.name);
  if (!firstDraw.distribution)
    firstDraw = draw;
  if (verdict && distribution.kind != KclSpecial)
    KCLAW_TRY(checkTask(distribution, level));
  return "";
}

Run<void> CorrectnessCheck::judgeResults(const Distribution &distribution,
                                         const std::vector<Comparison> &stock,
                                         bool bitwiseEqual) {
  bounds.clear();
  auto second = bitwiseEqual ? std::vector<CUdeviceptr>()
                             : addresses(load.candidate().results);
  auto judged =
      results.judge(distribution, stock, addresses(load.firstResults), second);
  if (!judged)
    return std::unexpected(judged.error());
  for (const JudgedResult &each : *judged)
    KCLAW_TRY(record(distribution, each));
  return {};
}

Run<void> CorrectnessCheck::explain(const JudgedResult &judged,
                                    const GuardedBuffer &got,
                                    uint8_t poisonByte) {
  if (!explanation || explanation->result >= 0)
    return {};
  describeData(load.drawn(), seed, *explanation);
  return explainMismatch(load, judged.result, got.address(),
                         judged.budget.bound, poisonByte, *explanation);
}

Run<void> CorrectnessCheck::record(const Distribution &distribution,
                                   const JudgedResult &judged) {
  const ProblemTensor &tensor = load.problem->results[judged.result];
  const ResultRule *first = results.refusal(judged, judged.first);
  const ResultRule *second = results.refusal(judged, judged.second);
  const Comparison &worse = !first && second ? judged.second : judged.first;
  const ResultRule *rule = first ? first : second;
  bounds.push_back(judged.budget.bound);
  if (scope != Scope::Module &&
      Redraw::isZero({judged.stock, isFloat(tensor.dtype)})) {
    note("result " + std::to_string(judged.result) + " is not judged on '" +
         distribution.name + "': " + Redraw::zero);
    return {};
  }
  if (judged.budget.stockInaccurate)
    note("stock-inaccurate: stock's error on '" +
         std::string(distribution.name) + "' is " +
         shortNumber(judged.stock.error()) + ", its family's budget " +
         shortNumber(judged.familyBudget));
  bool mild = distribution.kind == KclNormal || distribution.kind == KclUniform;
  if (mild && isFloat(tensor.dtype))
    precision.add(tensor.dtype,
                  worse.wrongElements() ? HUGE_VAL : worse.relativeNorm);
  saturated += judged.first.saturated;
  excused += judged.first.excused + judged.first.tied;
  stockDiffers += judged.first.stockDiffers;
  ResultError error;
  error.result = static_cast<int>(judged.result);
  error.distribution = distribution.name;
  error.relativeNorm = finite(worse.relativeNorm);
  error.maxScaled = finite(worse.maxScaled);
  error.stockRelativeNorm = finite(judged.stock.relativeNorm);
  error.stockMaxScaled = finite(judged.stock.maxScaled);
  error.bound = judged.budget.bound;
  error.worstIndex = worse.worst;
  error.got = finite(worse.got);
  error.want = finite(worse.want);
  error.ok = rule == nullptr;
  error.rule = rule ? rule->name : "";
  error.wrong = static_cast<int64_t>(worse.wrongElements() + worse.beyond);
  error.excused = static_cast<int64_t>(worse.excused + worse.tied);
  error.saturated = static_cast<int64_t>(worse.saturated);
  errors.push_back(error);
  if (!rule || !verdict)
    return {};
  bool inFirst = &worse == &judged.first;
  KCLAW_TRY(explain(judged,
                    inFirst ? load.firstResults[judged.result]
                            : load.candidate().results[judged.result],
                    inFirst ? nanPoison : hugePoison));
  std::string text =
      describeRefusal(tensor, error, *rule, results.caseOf(judged, worse));
  verdict = TwoRuns::refuses(!first, !second, worse.unwritten > 0)
                ? failRun(Outcome::Nondeterministic, TwoRuns::name,
                          "two runs on the same data disagree: " + text)
                : failRun(Outcome::Mismatch, rule->name, text);
  return {};
}

/// Zeros, the mean and the result of other data must all be refused, of every
/// result on one distribution at least: a candidate must be right on all.
Run<void> CorrectnessCheck::checkTask(const Distribution &distribution,
                                      int level) {
  telling.resize(load.problem->results.size());
  if (std::ranges::all_of(telling, std::identity()))
    return {};
  Draw other;
  other.distribution = &distribution;
  other.level = level;
  other.run = discriminationRun;
  Run<Discrimination> answer = checkDiscrimination(load, other, bounds);
  if (!answer)
    return std::unexpected(answer.error());
  std::vector<bool> tells(telling.size(), true);
  for (const Undiscriminating &each : answer->found)
    tells[each.result] = false;
  for (size_t i = 0; i < telling.size(); ++i)
    telling[i] = telling[i] || tells[i];
  if (whyUndiscriminating.empty())
    whyUndiscriminating = answer->why;
  std::ranges::copy(answer->found, std::back_inserter(undiscriminating));
  std::erase_if(undiscriminating, [&](const Undiscriminating &each) {
    return telling[each.result];
  });
  if (!answer->why.empty())
    note("undiscriminating: " + answer->why);
  return {};
}

/// A module may well have a constant among its results.
Run<void> CorrectnessCheck::requireTelling() {
  bool enough = scope == Scope::Module
                    ? std::ranges::any_of(telling, std::identity())
                    : std::ranges::all_of(telling, std::identity());
  if (enough)
    return {};
  return failRun(Outcome::Rejected, rules::undiscriminating,
                 "not judged: " + whyUndiscriminating);
}

Run<std::vector<int>> CorrectnessCheck::findInputsWithoutEffect() {
  if (!firstDraw.distribution)
    return std::vector<int>();
  std::string key = load.regionKey();
  auto &known = load.session->withoutEffect;
  if (auto found = known.find(key); found != known.end())
    return found->second;
  Run<std::vector<int>> found = inputsWithoutEffect(load, firstDraw);
  if (found)
    known[key] = *found;
  return found;
}

} // namespace kclaw
