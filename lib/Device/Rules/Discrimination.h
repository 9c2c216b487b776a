//===- Rules/Discrimination.h - Would a wrong result pass? ------*- C++ -*-===//
//
// A task proves something only if plain nonsense fails: zeros, the mean in
// every element, the result of other data.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_DISCRIMINATION_H
#define KERNELCLAW_LIB_DEVICE_RULES_DISCRIMINATION_H

#include "Comparison.h"
#include "RuleNames.h"

namespace kclaw {

struct Discriminates {
  static constexpr const char *name = rules::undiscriminating;
  /// What would pass, or null. `other`: the result of other data against this
  /// data's reference; `right`: by the rules it would be accepted.
  static const char *passes(const Comparison &other, double bound, bool right) {
    if (other.count == 0)
      return nullptr;
    if (other.zeroReference || other.share <= bound)
      return "zeros";
    if (other.count > 1 && other.meanError * other.share <= bound)
      return "the mean in every element";
    return right ? "the result of other data" : nullptr;
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_DISCRIMINATION_H
