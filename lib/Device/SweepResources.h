//===- SweepResources.h - Instances that the report rules out ---*- C++ -*-===//
//
// What the compiler says of a kernel decides before anything runs: it does not
// fit on the device, or it spills where a sibling does not. Pure.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_SWEEPRESOURCES_H
#define KERNELCLAW_LIB_DEVICE_SWEEPRESOURCES_H

#include "kernelclaw/Cuda/Occupancy.h"
#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"

namespace kclaw {

/// Why a launch of the plan cannot run ("kernel 'k': 255 registers x 1024
/// threads ..."); empty when all can. `names` are dimensions and tunables.
std::string whyNotResident(const Plan &plan, const Bindings &names,
                           const std::vector<ResourceReport> &resources,
                           const MultiprocessorLimits &limits);

/// Bytes that all kernels spill.
int64_t spilledBytes(const std::vector<ResourceReport> &resources);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SWEEPRESOURCES_H
