//===- ToolCheck.h - What a checking tool says of a winner ------*- C++ -*-===//
//
// Part of an Evaluation whose job asked for checks. One row a tool, also for
// those that did not run. JSON form: docs/schema/evaluation.schema.json.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_TOOLCHECK_H
#define KERNELCLAW_PLAN_TOOLCHECK_H

#include <string>

namespace kclaw {

struct ToolCheck {
  /// NotRun: not installed or not possible here. Unfinished: it ran, but gave
  /// no answer (time limit, a crash of the tool). Neither speaks against the
  /// kernel.
  enum class Outcome { Passed, Finding, NotRun, Unfinished };
  std::string tool; ///< "simulator", "memcheck", "racecheck", ...
  Outcome outcome = Outcome::NotRun;
  double seconds = 0;
  std::string message; ///< the finding, the reason, or what was covered
};

const char *name(ToolCheck::Outcome outcome);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_TOOLCHECK_H
