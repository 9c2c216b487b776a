//===- Comparison.cpp - A result against the f64 reference ----------------===//
#include "Comparison.h"
#include "ErrorBudget.h"

#include <limits>

namespace kclaw {

constexpr double infinity = std::numeric_limits<double>::infinity();

double Comparison::error() const {
  if (wrongElements())
    return infinity;
  return std::max(relativeNorm, maxScaled);
}

/// What ||e|| is relative to: kclScaledError's scale for all elements.
static double normScale(double want2, double spread2, double count,
                        const KclCompare &params) {
  double size = std::sqrt(want2);
  double normal = kclSmallestNormal(params.type) * std::sqrt(count);
  double spread = std::sqrt(spread2);
  return size + params.roundingShare * std::max(0.0, normal - size) +
         params.insideShare * std::max(0.0, spread - size);
}

Comparison mergePartials(const std::vector<KclPartial> &partials,
                         uint64_t count, const KclCompare &params) {
  Comparison sum;
  double spread2 = 0;
  sum.count = count;
  double error2 = 0;
  double want2 = 0;
  double want = 0;
  for (const KclPartial &part : partials) {
    error2 += part.sumError2;
    want2 += part.sumWant2;
    spread2 += part.spread2;
    want += part.sumWant;
    sum.mismatches += part.mismatches;
    sum.badIndices += part.badIndices;
    sum.repeated += part.repeated;
    sum.nanLost += part.nanLost;
    sum.infinityLost += part.infinityLost;
    sum.spurious += part.spurious;
    sum.beyond += part.beyond;
    sum.unwritten += part.unwritten;
    sum.tied += part.tied;
    sum.excused += part.excused;
    sum.saturated += part.saturated;
    sum.stockDiffers += part.stockDiffers;
    sum.wantNonFinite += part.wantNonFinite;
    sum.stockNonFinite += part.stockNonFinite;
    if (part.worst >= 0 && (sum.worst < 0 || part.maxScaled > sum.maxScaled)) {
      sum.maxScaled = part.maxScaled;
      sum.worst = part.worst;
      sum.got = part.got;
      sum.want = part.want;
    }
  }
  double n = static_cast<double>(count);
  sum.zeroReference = want2 == 0;
  if (!kclIsFloat(params.type))
    sum.relativeNorm = count ? std::sqrt(error2 / n) : 0;
  else if (double size = normScale(want2, spread2, n, params); size > 0) {
    sum.relativeNorm = std::sqrt(error2) / size;
    sum.share = want2 > 0 ? std::sqrt(want2) / size : 1;
  } else if (error2 > 0) {
    sum.relativeNorm = infinity;
  }
  if (want2 > 0)
    sum.meanError = std::sqrt(std::max(0.0, want2 - want * want / n) / want2);
  return sum;
}

/// Sizes of [outer, size, inner] around the selected dimensions.
static KclSelect selectParams(const Workload &load, const Selection &selection,
                              uint64_t resultCount) {
  const ProblemTensor &from =
      load.problem->arguments[static_cast<size_t>(selection.argument)];
  const std::vector<int64_t> &shape =
      selection.shape.empty() ? from.shape : selection.shape;
  KclSelect select = {};
  kcl_u64 outer = 1;
  select.size = select.inner = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t dim = static_cast<int64_t>(i);
    kcl_u64 &part = dim < selection.firstDim  ? outer
                    : dim < selection.lastDim ? select.size
                                              : select.inner;
    part *= static_cast<kcl_u64>(shape[i]);
  }
  kcl_u64 rows = outer * select.inner;
  select.picks = rows ? resultCount / rows : 0;
  if (select.picks * rows != resultCount || select.picks == 0 ||
      outer * select.size * select.inner != from.count)
    return {};
  select.values = load.argument(static_cast<size_t>(selection.argument));
  select.type = static_cast<int>(from.dtype);
  select.distinct = selection.distinct;
  return select;
}

KclCompare compareParams(const Workload &load, const ComparedResult &compared) {
  size_t result = compared.result;
  const ProblemTensor &tensor = load.problem->results[result];
  KclCompare params = {};
  params.got = reinterpret_cast<const void *>(compared.got);
  params.want = load.reference().results[result].pointer();
  params.stock = load.stock().results[result].pointer();
  params.excused = reinterpret_cast<const unsigned char *>(compared.excused);
  CUdeviceptr scales = load.rowScales[result];
  params.total = reinterpret_cast<double *>(scales);
  params.rowScale = params.total + 1;
  params.partials = reinterpret_cast<KclPartial *>(load.session->partials());
  params.count = tensor.count;
  params.rowLength = tensor.rowLength;
  params.bound = compared.bound;
  params.unitRoundoff = unitRoundoff(tensor.dtype);
  if (isFloat(tensor.dtype) && load.drawn().distribution) {
    BudgetParts parts =
        budgetParts(*load.spec, tensor.dtype, load.drawn().distribution->name);
    double total = parts.total();
    bool conditioned = load.rowSpreads[result] != 0;
    (conditioned ? parts.inside : parts.rounding) += parts.between;
    params.insideShare = parts.inside / total;
    params.roundingShare = parts.rounding / total;
  }
  if (CUdeviceptr spread = load.rowSpreads[result]) {
    params.spread = reinterpret_cast<KclSpread *>(spread);
    params.rowSpread = reinterpret_cast<double *>(params.spread + 1);
  }
  params.type = static_cast<int>(tensor.dtype);
  params.poisonByte = compared.poisonByte;
  params.nanForInfinity =
      load.spec->family == "contraction" || load.spec->family == "convolution";
  if (compared.what && compared.what->kind == ResultKind::Index)
    params.select = selectParams(load, compared.what->selection, tensor.count);
  return params;
}

Run<void> computeRowScales(Workload &load, size_t result) {
  const ProblemTensor &tensor = load.problem->results[result];
  if (!isFloat(tensor.dtype) || tensor.count == 0)
    return {};
  KCLAW_TRY(load.show());
  KclCompare compare = compareParams(load, {result});
  KCLAW_TRY(load.session->fill(load.rowScales[result], 8, 0));
  void *args[] = {&compare};
  // One block a row, striding.
  return load.session->launch(load.session->kernels().rowScale,
                              256 * (tensor.count / tensor.rowLength + 1),
                              args);
}

Run<Comparison> compare(Workload &load, const ComparedResult &compared) {
  const ProblemTensor &tensor = load.problem->results[compared.result];
  if (tensor.count == 0)
    return Comparison();
  KCLAW_TRY(load.show());
  Phase phase(load.session->phases, "compare");
  KclCompare params = compareParams(load, compared);
  // Merging partials is what costs on the simulator.
  uint64_t most = load.session->isSimulated() ? 64 : compareBlocks;
  uint64_t blocks = std::clamp<uint64_t>((tensor.count + 255) / 256, 1, most);
  void *args[] = {&params};
  KCLAW_TRY(load.session->launch(load.session->kernels().compare, tensor.count,
                                 args, most));
  std::vector<KclPartial> partials(blocks);
  KCLAW_TRY(load.session->download(partials.data(), load.session->partials(),
                                   blocks * sizeof(KclPartial)));
  return mergePartials(partials, tensor.count, params);
}

Run<void> excuse(Workload &load, const ComparedResult &compared,
                 const void *want, CUdeviceptr marks) {
  KCLAW_TRY(load.show());
  KclCompare params = compareParams(load, compared);
  params.want = want;
  void *args[] = {&params, &marks};
  return load.session->launch(load.session->kernels().excuse, params.count,
                              args);
}

} // namespace kclaw
