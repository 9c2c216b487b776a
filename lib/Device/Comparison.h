//===- Comparison.h - A result against the f64 reference --------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_COMPARISON_H
#define KERNELCLAW_LIB_DEVICE_COMPARISON_H

#include "Workload.h"

namespace kclaw {

/// What kcl_compare found over all elements of one result.
struct Comparison {
  uint64_t count = 0;
  double relativeNorm = 0;
  double maxScaled = 0; ///< infinite when non-finite values differ
  double got = 0, want = 0;
  int64_t worst = -1;
  uint64_t mismatches = 0;
  uint64_t saturated = 0;
  uint64_t unwritten = 0;
  uint64_t wantNonFinite = 0;
  uint64_t stockNonFinite = 0;
  double meanError = 0; ///< ||ref - mean(ref)|| / ||ref||
  bool zeroReference = false;

  /// The larger of the two measures.
  double error() const;
  bool within(double bound) const {
    return mismatches == 0 && relativeNorm <= bound && maxScaled <= bound;
  }
};

/// Merges the kernel's partials (in block order, so repeatable).
Comparison mergePartials(const std::vector<KclPartial> &partials,
                         uint64_t count, bool isFloat);

/// Scales of the reference's rows; before `compare`, once a reference.
Run<void> computeRowScales(Workload &load, size_t result);

/// `got` against the reference's result; elements that are still `poisonByte`
/// and wrong beyond `bound` are counted as unwritten.
Run<Comparison> compare(Workload &load, size_t result, CUdeviceptr got,
                        double bound, uint8_t poisonByte);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_COMPARISON_H
