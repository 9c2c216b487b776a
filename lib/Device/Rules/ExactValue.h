//===- Rules/ExactValue.h - What rounds nowhere must be equal ---*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_EXACTVALUE_H
#define KERNELCLAW_LIB_DEVICE_RULES_EXACTVALUE_H

#include "Rules/ResultRule.h"

namespace kclaw {

/// A boolean or integer that is computed without rounding.
struct ExactValue {
  static constexpr const char *name = rules::exactValue;
  static bool refuses(const ResultCase &result) {
    return result.kind == ResultKind::Exact &&
           result.found.mismatches > result.allowedMismatches;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.mismatches, result.found) +
           " differ, and nothing on the way to them rounds";
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_EXACTVALUE_H
