//===- TimedRunChecks.cpp - A timed run is checked like a validated one ---===//
#include "Correctness.h"
#include "Explain/ExplainMismatch.h"

namespace kclaw {

Run<void> CorrectnessCheck::drawFresh(bool forRecheck) {
  Draw fresh = firstDraw;
  fresh.distribution = &distributions[0];
  fresh.run =
      forRecheck ? firstRecheckRun + rechecks++ : firstFreshRun + freshRuns++;
  fresh.pooled = forRecheck;
  return load.draw(fresh);
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
      return failRun(Outcome::Mismatch, rules::timedRun,
                     "a timed run left " + std::to_string(left->first) +
                         " elements of result " + std::to_string(i) +
                         " unwritten, where validated runs wrote all");
  }
  return {};
}

Run<void> CorrectnessCheck::recheck() {
  std::string who = "a timed run of the candidate";
  const Distribution &distribution = distributions[0];
  KCLAW_TRY(load.checkInputs(who));
  KCLAW_TRY(results.runReferences());
  Run<std::vector<Comparison>> stock = results.compareStock(distribution);
  if (!stock)
    return std::unexpected(stock.error());
  auto judged = results.judge(distribution, *stock,
                              addresses(load.candidate().results), {});
  if (!judged)
    return std::unexpected(judged.error());
  for (const JudgedResult &each : *judged) {
    const ResultRule *rule = results.refusal(each, each.first);
    if (!rule)
      continue;
    KCLAW_TRY(explain(each, load.candidate().results[each.result], nanPoison));
    ResultError error;
    error.result = static_cast<int>(each.result);
    error.distribution = distribution.name;
    error.bound = each.budget.bound;
    error.stockRelativeNorm = each.stock.relativeNorm;
    error.stockMaxScaled = each.stock.maxScaled;
    return failRun(Outcome::Mismatch, rules::timedRun,
                   "a timed run is wrong where validated runs were right "
                   "(results replayed or left out?): " +
                       describeRefusal(load.problem->results[each.result],
                                       error, *rule,
                                       results.caseOf(each, each.first)));
  }
  return {};
}

} // namespace kclaw
