//===- Correctness.cpp - Is the candidate right? --------------------------===//
#include "Correctness.h"

namespace kclaw {

constexpr uint8_t nanPoison = 0xff;  // NaN in every float type, -1 in integers
constexpr uint8_t hugePoison = 0x7f; // huge, or NaN in f16

/// JSON has no infinity.
static double finite(double value) {
  return std::isfinite(value) ? value : 1e308;
}

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// A failure of stock or reference says nothing about the candidate.
static Run<void> blame(Run<void> result, const std::string &who) {
  if (result)
    return result;
  RunFailure failure = result.error();
  failure.rule = who + "-" + failure.rule;
  failure.outcome = Outcome::Rejected;
  failure.message = "not judged: " + failure.message;
  return std::unexpected(failure);
}

Run<void> requireRepeatable(bool required, bool bitwiseEqual,
                            const std::string &distribution) {
  if (!required || bitwiseEqual)
    return {};
  return failRun(Outcome::Nondeterministic, "deterministic",
                 "two runs on the same '" + distribution +
                     "' data differ bitwise and deterministic=true was asked "
                     "for; add in a fixed order, without floating-point "
                     "atomics");
}

void CorrectnessCheck::note(const std::string &text) {
  noteText += (noteText.empty() ? "" : "; ") + text;
}

Run<void> CorrectnessCheck::run() {
  for (size_t i = 0; i < std::size(distributions); ++i)
    KCLAW_TRY(checkDistribution(i));
  KCLAW_TRY(load.place(Placement::Wide));
  if (used == 0)
    return failRun(Outcome::Rejected, "no-distribution",
                   "not judged: no distribution keeps the reference finite");
  return verdict;
}

Run<void> CorrectnessCheck::checkDistribution(size_t index) {
  // At exactly the declared alignment in every other one.
  KCLAW_TRY(load.place(index % 2 == 0 ? Placement::Exact : Placement::Wide));
  for (int level = 0; level < levels; ++level) {
    Run<bool> finite = tryLevel(index, level);
    if (!finite)
      return std::unexpected(finite.error());
    if (!*finite)
      continue;
    if (level > 0)
      note("'" + std::string(distributions[index].name) + "' at level " +
           std::to_string(level));
    ++used;
    return {};
  }
  note("'" + std::string(distributions[index].name) +
       "' dropped: the reference is not finite" +
       (scope == Scope::Module ? ", or stock too inaccurate to judge by" : ""));
  return {};
}

Run<void> CorrectnessCheck::runCandidateTwice(bool &bitwiseEqual) {
  Contender &candidate = load.candidate();
  KCLAW_TRY(load.poison(candidate, nanPoison));
  KCLAW_TRY(load.armGuards(candidate));
  KCLAW_TRY(load.runAndWait(candidate));
  KCLAW_TRY(load.checkGuards(candidate));
  KCLAW_TRY(load.checkInputs(load.label(candidate)));
  for (size_t i = 0; i < candidate.results.size(); ++i)
    KCLAW_TRY(load.session->copy(load.firstResults[i].address(),
                                 candidate.results[i].address(),
                                 candidate.results[i].bytes()));
  KCLAW_TRY(load.poison(candidate, hugePoison));
  KCLAW_TRY(load.runAndWait(candidate));
  bitwiseEqual = true;
  for (size_t i = 0; i < candidate.results.size(); ++i) {
    Run<CUdeviceptr> counters = load.session->resetCounters();
    if (!counters)
      return std::unexpected(counters.error());
    CUdeviceptr first = load.firstResults[i].address();
    CUdeviceptr second = candidate.results[i].address();
    uint64_t bytes = candidate.results[i].bytes();
    void *args[] = {&first, &second, &bytes, &*counters};
    KCLAW_TRY(load.session->launch(load.session->kernels().countDifferent,
                                   bytes, args));
    auto different = load.session->readCounters();
    if (!different)
      return std::unexpected(different.error());
    bitwiseEqual &= different->first == 0;
  }
  repeatable &= bitwiseEqual;
  return {};
}

Run<void> CorrectnessCheck::runReferences() {
  for (Contender *who : {&load.stock(), &load.reference()})
    KCLAW_TRY(blame(load.computeResults(*who, nanPoison), who->name));
  for (size_t i = 0; i < load.problem->results.size(); ++i)
    KCLAW_TRY(computeRowScales(load, i));
  return {};
}

Run<bool> CorrectnessCheck::tryLevel(size_t index, int level) {
  const Distribution &distribution = distributions[index];
  bool bitwiseEqual = true;
  KCLAW_TRY(load.draw({&distribution, level, ++runs}));
  KCLAW_TRY(runCandidateTwice(bitwiseEqual));
  KCLAW_TRY(runReferences());
  std::vector<Comparison> stock;
  for (size_t i = 0; i < load.problem->results.size(); ++i) {
    double bound = familyBudget(*load.spec, load.problem->results[i].dtype,
                                distribution.name);
    Run<Comparison> found =
        compare(load, i, load.stock().results[i].address(), bound, nanPoison);
    if (!found)
      return std::unexpected(found.error());
    // Where stock overflows and f64 does not, a milder level is the better
    // test; at the last one a minority of such elements is accepted.
    uint64_t tolerated = level + 1 == levels ? found->count / 2 : 0;
    if (found->wantNonFinite || found->stockNonFinite > tolerated ||
        provesNothing(i, distribution, *found))
      return false;
    stock.push_back(*found);
  }
  for (size_t i = 0; i < stock.size(); ++i)
    KCLAW_TRY(judgeResult(i, distribution, stock[i], bitwiseEqual));
  // A wrong result is the graver reason.
  if (verdict)
    verdict = requireRepeatable(deterministic, bitwiseEqual, distribution.name);
  if (index == 0) {
    firstLevel = level;
    if (verdict)
      KCLAW_TRY(checkDiscrimination(distribution, level));
  }
  return true;
}

std::string CorrectnessCheck::describe(size_t result, const ResultError &error,
                                       const Comparison &found) const {
  const ProblemTensor &tensor = load.problem->results[result];
  std::string text = "result " + std::to_string(result) + " on '" +
                     error.distribution + "' data: ";
  if (isFloat(tensor.dtype))
    text += "relative error " + number(found.relativeNorm) + ", largest " +
            number(found.maxScaled) + " of its row's scale, allowed " +
            number(error.bound) + " (stock has " +
            number(error.stockRelativeNorm) + " and " +
            number(error.stockMaxScaled) + ")";
  else
    text += std::to_string(found.mismatches) + " elements differ";
  if (found.worst >= 0)
    text += "; worst at " + position(tensor.shape, found.worst) + ": got " +
            number(found.got) + ", want " + number(found.want);
  if (found.unwritten)
    text +=
        "; " + std::to_string(found.unwritten) + " elements were never written";
  return text;
}

Budget CorrectnessCheck::budget(size_t result, const Distribution &distribution,
                                const Comparison &stock) const {
  DType dtype = load.problem->results[result].dtype;
  if (!isFloat(dtype))
    return {0, stock.mismatches > 0};
  double family = familyBudget(*load.spec, dtype, distribution.name);
  Budget budget = budgetFor(family, stock.error());
  if (scope == Scope::Module)
    budget.bound = moduleBound(family, stock.error());
  return budget;
}

bool CorrectnessCheck::accepts(size_t result, const Comparison &found,
                               const Comparison &stock, double bound) const {
  if (scope == Scope::Module && !isFloat(load.problem->results[result].dtype))
    return found.mismatches <= 2 * stock.mismatches;
  return found.within(bound);
}

bool CorrectnessCheck::provesNothing(size_t result,
                                     const Distribution &distribution,
                                     const Comparison &stock) const {
  if (scope == Scope::Region)
    return false;
  if (!isFloat(load.problem->results[result].dtype))
    return stock.count > 1 && stock.mismatches > stock.count / 4;
  return !(budget(result, distribution, stock).bound < uselessBound);
}

Run<void> CorrectnessCheck::judgeResult(size_t result,
                                        const Distribution &distribution,
                                        const Comparison &stock,
                                        bool bitwiseEqual) {
  DType dtype = load.problem->results[result].dtype;
  Budget budget = this->budget(result, distribution, stock);
  if (budget.stockInaccurate)
    note("stock-inaccurate: stock's error on '" +
         std::string(distribution.name) + "' is " + number(stock.error()) +
         ", its family's budget " +
         number(familyBudget(*load.spec, dtype, distribution.name)));
  if (&distribution == &distributions[0])
    normalBounds.push_back(budget.bound);
  auto first = compare(load, result, load.firstResults[result].address(),
                       budget.bound, nanPoison);
  if (!first)
    return std::unexpected(first.error());
  auto second =
      bitwiseEqual
          ? first
          : compare(load, result, load.candidate().results[result].address(),
                    budget.bound, hugePoison);
  if (!second)
    return std::unexpected(second.error());
  saturated += first->saturated;
  bool firstOk = accepts(result, *first, stock, budget.bound);
  bool secondOk = accepts(result, *second, stock, budget.bound);
  const Comparison &worse = firstOk && !secondOk ? *second : *first;
  ResultError error;
  error.result = static_cast<int>(result);
  error.distribution = distribution.name;
  error.relativeNorm = finite(worse.relativeNorm);
  error.maxScaled = finite(worse.maxScaled);
  error.stockRelativeNorm = finite(stock.relativeNorm);
  error.stockMaxScaled = finite(stock.maxScaled);
  error.bound = budget.bound;
  error.worstIndex = worse.worst;
  error.got = finite(worse.got);
  error.want = finite(worse.want);
  error.ok = firstOk && secondOk;
  errors.push_back(error);
  if (error.ok || !verdict)
    return {};
  std::string text = describe(result, error, worse);
  if (firstOk != secondOk && worse.unwritten == 0)
    verdict = failRun(Outcome::Nondeterministic, "two-runs",
                      "two runs on the same data disagree: " + text);
  else
    verdict = failRun(Outcome::Mismatch,
                      worse.unwritten ? "not-written" : "budget", text);
  return {};
}

/// Zeros, the mean and the result of other data must all be refused.
Run<void>
CorrectnessCheck::checkDiscrimination(const Distribution &distribution,
                                      int level) {
  KCLAW_TRY(load.draw({&distribution, level, ++runs}));
  KCLAW_TRY(blame(load.computeResults(load.stock(), nanPoison), "stock"));
  size_t telling = 0;
  std::string why;
  for (size_t i = 0; i < load.problem->results.size(); ++i) {
    double bound = normalBounds[i];
    Run<Comparison> other =
        compare(load, i, load.stock().results[i].address(), bound, nanPoison);
    if (!other)
      return std::unexpected(other.error());
    if (other->count == 0)
      continue;
    const char *passes = nullptr;
    if (other->zeroReference)
      passes = "a result of zeros";
    else if (other->count > 1 && other->meanError <= bound)
      passes = "the mean in every element";
    else if (other->within(bound))
      passes = "the result of other data";
    telling += passes == nullptr;
    if (!passes)
      continue;
    why = "on '" + std::string(distribution.name) + "' data " + passes +
          " would pass for result " + std::to_string(i) + " (bound " +
          number(bound) + ")";
    note("undiscriminating: " + why);
    // A module may well have a constant among its results.
    if (scope == Scope::Region)
      break;
  }
  bool enough = scope == Scope::Module ? telling > 0 : why.empty();
  if (why.empty() || enough)
    return {};
  return failRun(Outcome::Rejected, "undiscriminating", "not judged: " + why);
}

Run<void> CorrectnessCheck::drawFresh() {
  return load.draw({&distributions[0], firstLevel, ++runs});
}

Run<void> CorrectnessCheck::checkWritten() {
  for (size_t i = 0; i < load.problem->results.size(); ++i) {
    const ProblemTensor &tensor = load.problem->results[i];
    // -1 may be right in an integer; the drawn data keeps floats finite, but
    // for elements that overflow in the result's type.
    if (!isFloat(tensor.dtype) && tensor.dtype != DType::boolean)
      continue;
    Run<CUdeviceptr> counters = load.session->resetCounters();
    if (!counters)
      return std::unexpected(counters.error());
    CUdeviceptr data = load.candidate().results[i].address();
    uint64_t count = tensor.count;
    int type = static_cast<int>(tensor.dtype);
    int byte = nanPoison;
    void *args[] = {&data, &count, &type, &byte, &*counters};
    KCLAW_TRY(
        load.session->launch(load.session->kernels().countPoison, count, args));
    auto left = load.session->readCounters();
    if (!left)
      return std::unexpected(left.error());
    if (left->first)
      return failRun(Outcome::Mismatch, "timed-run",
                     "a timed run left " + std::to_string(left->first) +
                         " elements of result " + std::to_string(i) +
                         " unwritten, where validated runs wrote all");
  }
  return {};
}

Run<void> CorrectnessCheck::recheck() {
  std::string who = "a timed run of the candidate";
  KCLAW_TRY(load.checkInputs(who));
  KCLAW_TRY(runReferences());
  for (size_t i = 0; i < load.problem->results.size(); ++i) {
    Run<Comparison> found =
        compare(load, i, load.candidate().results[i].address(), normalBounds[i],
                nanPoison);
    if (!found)
      return std::unexpected(found.error());
    // Fresh data may err a little more than the data that set the bound.
    if (found->within(2 * normalBounds[i]))
      continue;
    ResultError error;
    error.distribution = distributions[0].name;
    error.bound = normalBounds[i];
    return failRun(Outcome::Mismatch, "timed-run",
                   "a timed run is wrong where validated runs were right "
                   "(results replayed or left out?): " +
                       describe(i, error, *found));
  }
  return {};
}

} // namespace kclaw
