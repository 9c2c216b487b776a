//===- Rules/NotWritten.h - Every element is written ------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_NOTWRITTEN_H
#define KERNELCLAW_LIB_DEVICE_RULES_NOTWRITTEN_H

#include "Rules/ResultRule.h"

namespace kclaw {

/// Elements that are wrong and still hold the poison of before the run.
struct NotWritten {
  static constexpr const char *name = rules::notWritten;
  static bool refuses(const ResultCase &result) {
    return result.found.unwritten > 0;
  }
  static std::string explain(const ResultCase &result) {
    return elementsOf(result.found.unwritten, result.found) +
           " were never written";
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_NOTWRITTEN_H
