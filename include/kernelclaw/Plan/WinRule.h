//===- WinRule.h - When a candidate beats stock -----------------*- C++ -*-===//
//
// The one place that says what a winner is. It looks at nothing but the
// evaluation: whose evidence counts, and which winner is the best, the loop
// decides.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_WINRULE_H
#define KERNELCLAW_PLAN_WINRULE_H

#include "kernelclaw/Plan/Evaluation.h"

namespace kclaw {

/// Fresh processes that must agree before a measured candidate wins.
constexpr int confirmingProcesses = 3;

struct WinRule {
  double minSpeedup = 1.02; ///< stock's median over the candidate's, at least

  /// Ok, at least `minSpeedup` times as fast as stock, the speedup's interval
  /// above 1 where it is known, and confirmed where that was asked for.
  bool holds(const Evaluation &evaluation) const {
    return evaluation.outcome == Outcome::Ok && whyNot(evaluation).empty();
  }
  /// Why an ok candidate does not win; empty when it does.
  std::string whyNot(const Evaluation &evaluation) const;
};

} // namespace kclaw

#endif // KERNELCLAW_PLAN_WINRULE_H
