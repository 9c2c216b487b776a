//===- SimulatedCounters.h - A profile's counters, simulated ----*- C++ -*-===//
//
// The simulator counts each launch anyway; here its counters get the names of
// Support/Counters.h, by the hardware's metric that both tables name. A counter
// of ours that it has no such row for is missing, not zero.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_SIMULATEDCOUNTERS_H
#define KERNELCLAW_LIB_DEVICE_SIMULATEDCOUNTERS_H

#include "RunFailure.h"
#include "kernelclaw/Cuda/DriverApi.h"

#include <functional>

namespace kclaw {

/// Runs the plan once behind an empty L2 with `run`, which must launch the
/// profile's kernels and nothing else, and adds the counters and the estimate
/// of each. Fails as `run` does; what cannot be read is the profile's reason.
Run<void> addSimulatedCounters(const SimulatorApi &simulator, Profile &profile,
                               const std::function<Run<void>()> &run);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SIMULATEDCOUNTERS_H
