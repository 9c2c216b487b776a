//===- Rules/ResultRule.h - What a rule about one result sees ---*- C++ -*-===//
//
// A rule looks at what was counted over all elements of one result on one
// distribution, and refuses or not. One type a rule, one file a type; the order
// in which they are asked is that of resultRules (ResultRules.cpp): the first
// that refuses names the verdict.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_RESULTRULE_H
#define KERNELCLAW_LIB_DEVICE_RULES_RESULTRULE_H

#include "Comparison.h"
#include "RuleNames.h"
#include "Rules/ResultKind.h"

#include <string>

namespace kclaw {

/// One result on one distribution, against the reference and a bound.
struct ResultCase {
  const Comparison &found;
  double bound = 0;
  ResultKind kind = ResultKind::Float;
  /// Booleans and integers that may differ: 0, but in a whole module twice as
  /// many as stock's.
  uint64_t allowedMismatches = 0;
};

/// A row of the table; `explain` says it for people, and is only asked when
/// `refuses` is true.
struct ResultRule {
  const char *name;
  bool (*refuses)(const ResultCase &);
  std::string (*explain)(const ResultCase &);
};

/// The first rule that refuses, or null.
const ResultRule *firstRefusal(const ResultCase &result);

/// "3 of 4096 elements".
std::string elementsOf(uint64_t part, const Comparison &found);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_RESULTRULE_H
