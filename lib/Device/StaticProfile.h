//===- StaticProfile.h - What the code says without running -----*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_STATICPROFILE_H
#define KERNELCLAW_LIB_DEVICE_STATICPROFILE_H

#include "InstructionMix.h"
#include "Workload.h"

namespace kclaw {

/// One entry a kernel launch of the bound plan: resources as the driver loaded
/// it, and occupancy.
std::vector<KernelProfile> staticProfile(const DriverApi &api, CUdevice device,
                                         const PlanInstance &plan);

/// Disassembles the images' machine code; by module and function name.
using PlanMix = std::map<std::string, std::map<std::string, InstructionMix>>;
Expected<PlanMix> mixOf(const std::vector<ModuleImage> &images);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_STATICPROFILE_H
