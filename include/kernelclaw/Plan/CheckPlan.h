//===- CheckPlan.h - Does a plan fit a spec? --------------------*- C++ -*-===//
//
// What can be known about a plan without compiling it: names resolve, indices
// and sizes are in range at every sample size, launch limits hold, results
// are written, nothing but results and workspaces is a target. Both functions
// are pure.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_CHECKPLAN_H
#define KERNELCLAW_PLAN_CHECKPLAN_H

#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

/// Combinations of all tunables' values that a plan may have.
inline constexpr int64_t maxTunableCombinations = 4096;

/// Dimensions and chosen tunables by name. A dynamic dimension takes its value
/// from `sizes`, else its first sample; `sizes` overrides tunables as well.
Bindings planBindings(const KernelSpec &spec, const Plan &plan,
                      const Bindings &sizes = {});

/// Bytes of a buffer under `bindings`: from the spec for arguments and
/// results, from the plan for the others.
Expected<int64_t> bufferSizeBytes(const PlanBuffer &buffer,
                                  const KernelSpec &spec,
                                  const Bindings &bindings);

/// The first thing that is wrong, with its path. `fromModel`: only CUDA C++
/// modules.
Expected<void> checkPlan(const Plan &plan, const KernelSpec &spec,
                         bool fromModel);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_CHECKPLAN_H
