//===- StaticProfile.cpp - What the code says without running -------------===//
#include "StaticProfile.h"
#include "kernelclaw/Cuda/Occupancy.h"

namespace kclaw {

/// Of a kernel whose resources are known.
static void addOccupancy(KernelProfile &kernel,
                         const MultiprocessorLimits &limits) {
  LaunchNeeds needs;
  needs.threads =
      static_cast<int>(kernel.block[0] * kernel.block[1] * kernel.block[2]);
  needs.registers = kernel.registers;
  needs.staticSharedBytes = static_cast<size_t>(kernel.staticSharedBytes);
  needs.dynamicSharedBytes = static_cast<size_t>(kernel.dynamicSharedBytes);
  Occupancy found = occupancyOf(limits, needs);
  kernel.blocksPerMultiprocessor = found.blocks;
  kernel.occupancyLimit = found.limit;
  if (found.blocks > 0)
    kernel.counters["theoreticalOccupancy"] = found.percent;
}

static KernelProfile launchOf(const DriverApi &api, CUdevice device,
                              const ResolvedStep &step) {
  auto attribute = [&](CUfunction_attribute which) {
    int value = 0;
    CUkernel kernel = static_cast<CUkernel>(step.kernel.function);
    return api.cuKernelGetAttribute(&value, which, kernel, device) ==
                   CUDA_SUCCESS
               ? value
               : 0;
  };
  KernelProfile profile;
  profile.kernel = step.entry;
  profile.clusterBlocks = 1;
  for (size_t i = 0; i < 3; ++i) {
    profile.grid[i] = step.kernel.grid[i];
    profile.block[i] = step.kernel.block[i];
    profile.clusterBlocks *= std::max<int64_t>(1, step.kernel.cluster[i]);
  }
  profile.registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
  profile.staticSharedBytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  profile.localBytes = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  profile.dynamicSharedBytes = step.kernel.shared_bytes;
  return profile;
}

static bool isLaunch(const ResolvedStep &step) {
  const uint32_t *grid = step.kernel.grid;
  return step.kind == ResolvedStep::Kind::Kernel && grid[0] && grid[1] &&
         grid[2];
}

std::vector<KernelProfile> staticProfile(const DriverApi &api, CUdevice device,
                                         const PlanInstance &plan) {
  MultiprocessorLimits limits = readLimits(api, device);
  std::vector<KernelProfile> kernels;
  for (const ResolvedStep &step : plan.boundSteps())
    if (isLaunch(step)) {
      kernels.push_back(launchOf(api, device, step));
      addOccupancy(kernels.back(), limits);
    }
  return kernels;
}

Expected<PlanMix> mixOf(const std::vector<ModuleImage> &images) {
  PlanMix mix;
  for (const ModuleImage &image : images) {
    auto found = disassemble(image.cubin);
    if (!found)
      return std::unexpected(found.error());
    mix[image.module] = std::move(*found);
  }
  return mix;
}

} // namespace kclaw
