//===- Rules/Repeatability.h - Two runs on the same data --------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_REPEATABILITY_H
#define KERNELCLAW_LIB_DEVICE_RULES_REPEATABILITY_H

#include "RuleNames.h"
#include "RunFailure.h"

namespace kclaw {

/// Both runs are judged; where one is right and the other is not, that is the
/// fault, whatever the wrong one breaks. What was not written is told as such:
/// the poison of the two runs differs.
struct TwoRuns {
  static constexpr const char *name = rules::twoRuns;
  static bool refuses(bool firstRight, bool secondRight, bool unwritten) {
    return firstRight != secondRight && !unwritten;
  }
};

/// Nothing but bitwise equal runs, where that was asked for.
struct Deterministic {
  static constexpr const char *name = rules::deterministic;
  static Run<void> check(bool required, bool bitwiseEqual,
                         const std::string &distribution) {
    if (!required || bitwiseEqual)
      return {};
    return failRun(Outcome::Nondeterministic, name,
                   "two runs on the same '" + distribution +
                       "' data differ bitwise and deterministic=true was asked "
                       "for; add in a fixed order, without floating-point "
                       "atomics");
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_REPEATABILITY_H
