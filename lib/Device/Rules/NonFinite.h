//===- Rules/NonFinite.h - NaN and infinity propagate -----------*- C++ -*-===//
//
// Where stock saturates and f64 does not, either answer is right; where stock
// is itself not as the reference, nothing is asked of the candidate. Both are
// counted (Compare.h).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_NONFINITE_H
#define KERNELCLAW_LIB_DEVICE_RULES_NONFINITE_H

#include "Rules/ResultRule.h"

namespace kclaw {

/// NaN in the reference is NaN in the result.
struct NanLost {
  static constexpr const char *name = rules::nanLost;
  static bool refuses(const ResultCase &result) {
    return result.found.nanLost > 0;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.nanLost, result.found) +
           " must be NaN and are not (fmaxf and fminf drop a NaN, a comparison "
           "with it is false)";
  }
};

/// An infinity in the reference is that infinity in the result.
struct InfinityLost {
  static constexpr const char *name = rules::infinityLost;
  static bool refuses(const ResultCase &result) {
    return result.found.infinityLost > 0;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.infinityLost, result.found) +
           " must be infinite and are not";
  }
};

/// Nothing else is NaN or infinite.
struct SpuriousNonFinite {
  static constexpr const char *name = rules::spuriousNonFinite;
  static bool refuses(const ResultCase &result) {
    return result.found.spurious > 0;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.spurious, result.found) +
           " are NaN or infinite where reference and stock are finite";
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_NONFINITE_H
