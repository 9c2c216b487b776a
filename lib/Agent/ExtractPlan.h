//===- ExtractPlan.h - The plan inside a reply ------------------*- C++ -*-===//
//
// Private. Accepts the tool call `submit_kernel` with {plan} or with {code,
// entry, grid, block, ...}, a complete ```json fence with a plan (whose module
// source may be "@cuda", meaning the last complete ```cuda fence), or a text
// that is the plan itself. Says whether what is missing was cut off (ask for
// more room), malformed (tell the model why) or refused.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_EXTRACTPLAN_H
#define KERNELCLAW_LIB_AGENT_EXTRACTPLAN_H

#include "kernelclaw/Provider/Provider.h"

namespace kclaw {

struct Extraction {
  enum class Kind { Plan, Truncated, Malformed, Refused };
  Kind kind = Kind::Malformed;
  std::string planJson; ///< for parsePlan
  std::string message;  ///< why there is none
};

Extraction extractPlan(const Reply &reply, const KernelSpec &spec);

/// What a model is offered; its arguments are what extractPlan accepts.
Tool submitKernelTool();

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_EXTRACTPLAN_H
