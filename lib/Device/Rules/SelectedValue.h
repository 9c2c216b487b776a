//===- Rules/SelectedValue.h - An index is judged by what it selects *- C++
//-*-===//
//
// Among equal values any index is right (argmax, topk, sort), NaN being equal
// to NaN; in a row of several picks no index may come twice.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_SELECTEDVALUE_H
#define KERNELCLAW_LIB_DEVICE_RULES_SELECTEDVALUE_H

#include "Rules/ResultRule.h"

namespace kclaw {

/// The index is in range, and selects the value that the reference selects.
struct SelectedValue {
  static constexpr const char *name = rules::selectedValue;
  static bool refuses(const ResultCase &result) {
    return result.kind == ResultKind::Index && result.found.badIndices > 0;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.badIndices, result.found) +
           " are out of range or select another value";
  }
};

/// Of equal values each is picked once.
struct RepeatedIndex {
  static constexpr const char *name = rules::repeatedIndex;
  static bool refuses(const ResultCase &result) {
    return result.kind == ResultKind::Index && result.found.repeated > 0;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.repeated, result.found) +
           " repeat an index of their row";
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_SELECTEDVALUE_H
