//===- SimulatedSizes.h - What is too large for a simulator -----*- C++ -*-===//
//
// Known of a region before any candidate is: where a simulator could judge it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_SIMULATEDSIZES_H
#define KERNELCLAW_PLAN_SIMULATEDSIZES_H

#include "kernelclaw/Plan/Job.h"

namespace kclaw {

/// Elements of all arguments and results that a simulator takes at most.
constexpr uint64_t simulatedElements = uint64_t{1} << 23;

/// "8388609 elements in arguments and results, the simulator takes 8388608"
std::string describeLimit(uint64_t elements);

/// Empty: a candidate of this region can be judged, if it is right for other
/// sizes. Else one sentence with the smallest size's numbers: no candidate
/// helps. Of regions with dynamic sizes always empty.
std::string whyNotSimulated(const KernelSpec &spec,
                            const std::vector<ReducedProblem> &reduced);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_SIMULATEDSIZES_H
