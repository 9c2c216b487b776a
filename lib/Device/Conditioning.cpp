//===- Conditioning.cpp - How large what a result is made of is -----------===//
#include "Conditioning.h"
#include "ErrorBudget.h"

#include <algorithm>

namespace kclaw {

/// Beyond those of PerturbedReference.cpp.
constexpr uint64_t perturbation = 64;
/// Far above what f64 rounds, far below what bends a function.
constexpr double smallestStep = 0x1p-20;
/// Of a result's size: what the budget may come to, and what the step may move.
constexpr double mostAllowed = 1.0 / 16;
constexpr double mostMoved = 1.0 / 4;
constexpr size_t mostKnown = 256;

/// A value of 16 bits moves by a unit in the last place, or not at all.
static double stepOf(const KernelSpec &spec) {
  double step = smallestStep;
  for (const TensorSpec &argument : spec.arguments)
    step = std::max(step, 2 * unitRoundoff(argument.dtype));
  return step;
}

static bool hasSpreads(const Workload &load) {
  return std::ranges::any_of(load.rowSpreads,
                             [](CUdeviceptr at) { return at; });
}

static bool isKnown(const Workload &load) {
  return load.session->spreads.contains(load.drawKey());
}

Run<void> runMovedReference(Workload &load, uint8_t poisonByte) {
  if (!hasSpreads(load) || isKnown(load))
    return {};
  const Draw drawn = load.drawn();
  Draw moved = drawn;
  moved.perturbation = perturbation;
  moved.epsilon = stepOf(*load.spec);
  KCLAW_TRY(load.draw(moved));
  KCLAW_TRY(load.computeResults(load.reference(), poisonByte));
  KCLAW_TRY(load.show());
  for (size_t i = 0; i < load.movedResults.size(); ++i)
    if (load.movedResults[i])
      KCLAW_TRY(load.session->copy(load.movedResults[i],
                                   load.reference().results[i].address(),
                                   load.problem->results[i].count * 8));
  return load.draw(drawn);
}

static Run<void> launchSpread(Workload &load, size_t result) {
  KCLAW_TRY(load.session->fill(load.rowSpreads[result], sizeof(KclSpread), 0));
  KclCompare params = compareParams(load, {result});
  params.step = stepOf(*load.spec);
  CUdeviceptr moved = load.movedResults[result];
  void *args[] = {&params, &moved};
  return load.session->launch(load.session->kernels().rowSpread,
                              256 * (load.rowsOf(result) + 1), args);
}

/// The spreads of this draw, from the device or to it.
static Run<std::vector<std::vector<double>>> spreadsOfDraw(Workload &load) {
  auto &known = load.session->spreads;
  bool again = isKnown(load);
  std::vector<std::vector<double>> all(load.rowSpreads.size());
  if (again)
    all = known[load.drawKey()];
  for (size_t i = 0; i < all.size(); ++i) {
    if (!load.rowSpreads[i])
      continue;
    if (again) {
      KCLAW_TRY(load.session->upload(load.rowSpreads[i], all[i].data(),
                                     all[i].size() * 8));
      continue;
    }
    KCLAW_TRY(launchSpread(load, i));
    all[i].resize(load.rowsOf(i) + sizeof(KclSpread) / 8);
    KCLAW_TRY(load.session->download(all[i].data(), load.rowSpreads[i],
                                     all[i].size() * 8));
  }
  if (!again && load.drawn().pooled && load.drawn().perturbation == 0) {
    if (known.size() >= mostKnown)
      known.clear();
    known[load.drawKey()] = all;
  }
  return all;
}

Run<std::vector<double>> measureSpreads(Workload &load) {
  std::vector<double> sizes(load.rowSpreads.size());
  if (!hasSpreads(load))
    return sizes;
  KCLAW_TRY(load.show());
  auto spreads = spreadsOfDraw(load);
  if (!spreads)
    return std::unexpected(spreads.error());
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!load.rowSpreads[i])
      continue;
    double total = 0;
    KCLAW_TRY(load.session->download(&total, load.rowScales[i], 8));
    double count = static_cast<double>(load.problem->results[i].count);
    double spread = kclSpreadScale((*spreads)[i][0], (*spreads)[i][1]);
    if (total > 0)
      sizes[i] = spread / std::sqrt(total / count);
  }
  return sizes;
}

bool isIllConditioned(const Workload &load, size_t result, double spread) {
  BudgetParts parts =
      budgetParts(*load.spec, load.problem->results[result].dtype,
                  load.drawn().distribution->name);
  return (parts.between + parts.inside) * spread > mostAllowed ||
         stepOf(*load.spec) * spread > mostMoved;
}

} // namespace kclaw
