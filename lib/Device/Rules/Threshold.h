//===- Rules/Threshold.h - Booleans and rounded integers near a threshold *- C++
//-*-===//
//
// The f64 value before the threshold is inside the reference. Instead of asking
// for it, the judge moves the float inputs of the reference up and down by the
// budget (PerturbedReference.h): an element that changes with them is near its
// threshold, and both answers are right. That is the design's rule seen from
// the other side (a small backward error), needs no second reference, and holds
// through any number of ops behind the threshold.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_THRESHOLD_H
#define KERNELCLAW_LIB_DEVICE_RULES_THRESHOLD_H

#include "Rules/ResultRule.h"

namespace kclaw {

/// Differs only where the reference does when its inputs move within the
/// budget.
struct Threshold {
  static constexpr const char *name = rules::threshold;
  static bool refuses(const ResultCase &result) {
    return result.kind == ResultKind::Threshold &&
           result.found.mismatches > result.allowedMismatches;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.mismatches, result.found) +
           " differ where what they are computed from is not within budget of "
           "the threshold";
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_THRESHOLD_H
