//===- Rules/WithinBudget.h - Floats are within their budget ----*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_WITHINBUDGET_H
#define KERNELCLAW_LIB_DEVICE_RULES_WITHINBUDGET_H

#include "Rules/ResultRule.h"

namespace kclaw {

/// Both error measures of a float result are within the bound.
struct WithinBudget {
  static constexpr const char *name = rules::budget;
  static bool refuses(const ResultCase &result) {
    return result.kind == ResultKind::Float &&
           !(result.found.relativeNorm <= result.bound &&
             result.found.maxScaled <= result.bound);
  }
  static std::string explain(const ResultCase &result) {
    return "the error is beyond its budget";
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_WITHINBUDGET_H
