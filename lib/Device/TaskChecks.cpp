//===- TaskChecks.cpp - Does the task prove anything? ---------------------===//
#include "TaskChecks.h"
#include "Rules/Discrimination.h"

#include <algorithm>

namespace kclaw {

Run<Discrimination> checkDiscrimination(Workload &load, const Draw &other,
                                        const std::vector<double> &bounds) {
  KCLAW_TRY(load.draw(other));
  KCLAW_TRY(blame(load.computeResults(load.stock(), nanPoison), "stock"));
  Discrimination answer;
  for (size_t i = 0; i < load.problem->results.size(); ++i) {
    Run<Comparison> found = compare(
        load, {i, load.stock().results[i].address(), bounds[i], nanPoison});
    if (!found)
      return std::unexpected(found.error());
    if (found->count == 0)
      continue;
    const char *passes =
        Discriminates::passes(*found, bounds[i], found->within(bounds[i]));
    answer.telling += passes == nullptr;
    if (!passes)
      continue;
    answer.found.push_back(
        {static_cast<int>(i), other.distribution->name, passes});
    if (!answer.why.empty())
      continue;
    char bound[32];
    std::snprintf(bound, sizeof bound, "%.3g", bounds[i]);
    answer.why = "on '" + std::string(other.distribution->name) + "' data " +
                 passes + " would pass for result " + std::to_string(i) +
                 " (bound " + bound + ")";
  }
  return answer;
}

/// Another draw gives other data at all.
static bool canVary(const TensorSpec &spec, const ProblemTensor &tensor) {
  bool fixed =
      spec.domain.kind == Domain::Kind::Index && spec.domain.limit <= 1;
  return tensor.count > 0 && !fixed;
}

/// Bytes of stock's results that differ from `firstResults`.
static Run<uint64_t> bytesChanged(Workload &load) {
  Run<CUdeviceptr> counters = load.session->resetCounters();
  if (!counters)
    return std::unexpected(counters.error());
  for (size_t i = 0; i < load.problem->results.size(); ++i) {
    CUdeviceptr before = load.firstResults[i].address();
    CUdeviceptr now = load.stock().results[i].address();
    uint64_t bytes = load.stock().results[i].bytes();
    void *args[] = {&before, &now, &bytes, &*counters};
    KCLAW_TRY(load.session->launch(load.session->kernels().countDifferent,
                                   bytes, args));
  }
  auto different = load.session->readCounters();
  if (!different)
    return std::unexpected(different.error());
  return different->first;
}

Run<std::vector<int>> inputsWithoutEffect(Workload &load, const Draw &drawn) {
  std::vector<int> without;
  Contender &stock = load.stock();
  KCLAW_TRY(load.draw(drawn));
  KCLAW_TRY(blame(load.computeResults(stock, nanPoison), "stock"));
  for (size_t i = 0; i < stock.results.size(); ++i)
    KCLAW_TRY(load.session->copy(load.firstResults[i].address(),
                                 stock.results[i].address(),
                                 stock.results[i].bytes()));
  size_t count = std::min(load.problem->arguments.size(), mostArguments);
  for (size_t i = 0; i < count; ++i) {
    if (!canVary(load.spec->arguments[i], load.problem->arguments[i]))
      continue;
    Draw other = drawn;
    other.redrawnArgument = static_cast<int>(i);
    other.pooled = false; // asked for once
    KCLAW_TRY(load.draw(other));
    KCLAW_TRY(blame(load.computeResults(stock, nanPoison), "stock"));
    Run<uint64_t> changed = bytesChanged(load);
    if (!changed)
      return std::unexpected(changed.error());
    if (*changed == 0)
      without.push_back(static_cast<int>(i));
  }
  KCLAW_TRY(load.draw(drawn));
  return without;
}

} // namespace kclaw
