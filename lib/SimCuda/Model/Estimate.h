//===- Estimate.h - How long an operation would take ------------*- C++ -*-===//
//
// What the simulated clock advances by. An estimate, never a measurement: its
// evidence class is `simulated`.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_MODEL_ESTIMATE_H
#define KERNELCLAW_LIB_SIMCUDA_MODEL_ESTIMATE_H

#include "../Exec/Block.h"
#include "Device.h"

namespace kclaw::sim {

/// A launch: the longest of its memory traffic at the device's bandwidth and
/// its warp instructions at four a cycle and multiprocessor, plus the launch.
uint64_t estimateNanoseconds(const DeviceModel &device,
                             const LaunchConfig &config, const Counts &counts);

enum class Traffic { Device, Host };
/// A copy or a memset of `bytes` inside the device, or over the bus.
uint64_t estimateNanoseconds(const DeviceModel &device, Traffic traffic,
                             uint64_t bytes);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_MODEL_ESTIMATE_H
