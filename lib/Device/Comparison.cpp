//===- Comparison.cpp - A result against the f64 reference ----------------===//
#include "Comparison.h"
#include "ErrorBudget.h"

#include <limits>

namespace kclaw {

constexpr double infinity = std::numeric_limits<double>::infinity();

double Comparison::error() const {
  if (mismatches)
    return infinity;
  return std::max(relativeNorm, maxScaled);
}

Comparison mergePartials(const std::vector<KclPartial> &partials,
                         uint64_t count, bool isFloat) {
  Comparison sum;
  sum.count = count;
  double error2 = 0;
  double want2 = 0;
  double want = 0;
  for (const KclPartial &part : partials) {
    error2 += part.sumError2;
    want2 += part.sumWant2;
    want += part.sumWant;
    sum.mismatches += part.mismatches;
    sum.saturated += part.saturated;
    sum.unwritten += part.unwritten;
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
  if (!isFloat)
    sum.relativeNorm = count ? std::sqrt(error2 / n) : 0;
  else if (error2 > 0)
    sum.relativeNorm = want2 > 0 ? std::sqrt(error2 / want2) : infinity;
  if (want2 > 0)
    sum.meanError = std::sqrt(std::max(0.0, want2 - want * want / n) / want2);
  return sum;
}

static KclCompare params(Workload &load, size_t result, CUdeviceptr got) {
  const ProblemTensor &tensor = load.problem->results[result];
  KclCompare params = {};
  params.got = reinterpret_cast<const void *>(got);
  params.want = load.reference().results[result].pointer();
  params.stock = load.stock().results[result].pointer();
  CUdeviceptr scales = load.rowScales[result].get();
  params.total = reinterpret_cast<double *>(scales);
  params.rowScale = params.total + 1;
  params.partials = reinterpret_cast<KclPartial *>(load.session->partials());
  params.count = tensor.count;
  params.rowLength = tensor.rowLength;
  params.unitRoundoff = unitRoundoff(tensor.dtype);
  params.type = static_cast<int>(tensor.dtype);
  return params;
}

Run<void> computeRowScales(Workload &load, size_t result) {
  const ProblemTensor &tensor = load.problem->results[result];
  if (!isFloat(tensor.dtype) || tensor.count == 0)
    return {};
  KclCompare compare = params(load, result, 0);
  KCLAW_TRY(load.session->fill(load.rowScales[result].get(), 8, 0));
  void *args[] = {&compare};
  // One block a row, striding.
  return load.session->launch(load.session->kernels().rowScale,
                              256 * (tensor.count / tensor.rowLength + 1),
                              args);
}

Run<Comparison> compare(Workload &load, size_t result, CUdeviceptr got,
                        double bound, uint8_t poisonByte) {
  const ProblemTensor &tensor = load.problem->results[result];
  bool floating = isFloat(tensor.dtype);
  if (tensor.count == 0)
    return Comparison();
  KclCompare compare = params(load, result, got);
  compare.bound = bound;
  compare.poisonByte = poisonByte;
  uint64_t blocks =
      std::clamp<uint64_t>((tensor.count + 255) / 256, 1, compareBlocks);
  void *args[] = {&compare};
  KCLAW_TRY(load.session->launch(load.session->kernels().compare, tensor.count,
                                 args, compareBlocks));
  std::vector<KclPartial> partials(blocks);
  KCLAW_TRY(load.session->download(partials.data(), load.session->partials(),
                                   blocks * sizeof(KclPartial)));
  return mergePartials(partials, tensor.count, floating);
}

} // namespace kclaw
