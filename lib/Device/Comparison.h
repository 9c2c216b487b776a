//===- Comparison.h - A result against the f64 reference --------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_COMPARISON_H
#define KERNELCLAW_LIB_DEVICE_COMPARISON_H

#include "Rules/ResultKind.h"
#include "Workload.h"

namespace kclaw {

/// What kcl_compare found over all elements of one result. What the counts
/// mean: KclPartial in device/Compare.h.
struct Comparison {
  uint64_t count = 0;
  double relativeNorm = 0;
  double maxScaled = 0; ///< infinite when non-finite values differ
  double got = 0, want = 0;
  int64_t worst = -1;
  uint64_t mismatches = 0, badIndices = 0, repeated = 0;
  uint64_t nanLost = 0, infinityLost = 0, spurious = 0;
  uint64_t beyond = 0, unwritten = 0;
  uint64_t tied = 0, excused = 0, saturated = 0, stockDiffers = 0;
  uint64_t wantNonFinite = 0, stockNonFinite = 0;
  double meanError = 0; ///< ||ref - mean(ref)|| / ||ref||
  double share = 1;     ///< ||ref|| / what relativeNorm is relative to
  bool zeroReference = false;

  /// Elements that no bound can make right.
  uint64_t wrongElements() const {
    return mismatches + badIndices + repeated + nanLost + infinityLost +
           spurious;
  }
  /// The larger of the two measures; infinite with wrong elements.
  double error() const;
  bool within(double bound) const {
    return wrongElements() == 0 && relativeNorm <= bound && maxScaled <= bound;
  }
};

/// Merges the kernel's partials (in block order, so repeatable). Of `params`
/// the type and the bound's shares count.
Comparison mergePartials(const std::vector<KclPartial> &partials,
                         uint64_t count, const KclCompare &params);

/// How one result is looked at.
struct ComparedResult {
  size_t result = 0;
  CUdeviceptr got = 0;
  double bound = 0;
  uint8_t poisonByte = 0;  ///< elements that are it and wrong: unwritten
  CUdeviceptr excused = 0; ///< marks, one byte an element; 0: none
  const ResultClass *what = nullptr;
};

/// Parameters of kcl_compare and kcl_excuse.
KclCompare compareParams(const Workload &load, const ComparedResult &compared);

/// Scales of the reference's rows; before `compare`, once a reference.
Run<void> computeRowScales(Workload &load, size_t result);

/// A result against the reference's.
Run<Comparison> compare(Workload &load, const ComparedResult &compared);

/// Marks the elements that equal those of `want` (the reference's results, or
/// stock's of a boolean or integer result) within the bound.
Run<void> excuse(Workload &load, const ComparedResult &compared,
                 const void *want, CUdeviceptr marks);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_COMPARISON_H
