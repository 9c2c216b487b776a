//===- Occupancy.cpp - How many blocks fit on a multiprocessor ------------===//
#include "kernelclaw/Cuda/Occupancy.h"

#include <cuda_occupancy.h>

namespace kclaw {

namespace {
struct LimitName {
  unsigned factor;
  const char *name;
};
constexpr LimitName limitNames[] = {
    {OCC_LIMIT_WARPS, "warps"},
    {OCC_LIMIT_REGISTERS, "registers"},
    {OCC_LIMIT_SHARED_MEMORY, "shared memory"},
    {OCC_LIMIT_BLOCKS, "blocks"},
};
} // namespace

MultiprocessorLimits readLimits(const DriverApi &api, CUdevice device) {
  auto read = [&](CUdevice_attribute which) {
    int value = 0;
    return api.cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS
               ? value
               : 0;
  };
  MultiprocessorLimits limits;
  limits.computeMajor = read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  limits.computeMinor = read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  limits.multiprocessors = read(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  limits.warpSize = read(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  limits.threadsPerBlock = read(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  limits.threadsPerMultiprocessor =
      read(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  limits.registersPerBlock = read(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  limits.registersPerMultiprocessor =
      read(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  limits.sharedBytesPerBlock = static_cast<size_t>(
      read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  limits.sharedBytesPerBlockOptin = static_cast<size_t>(
      read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  limits.sharedBytesPerMultiprocessor = static_cast<size_t>(
      read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  limits.reservedSharedBytesPerBlock = static_cast<size_t>(
      read(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
  return limits;
}

static cudaOccDeviceProp deviceProperties(const MultiprocessorLimits &limits) {
  cudaOccDeviceProp device;
  device.computeMajor = limits.computeMajor;
  device.computeMinor = limits.computeMinor;
  device.maxThreadsPerBlock = limits.threadsPerBlock;
  device.maxThreadsPerMultiprocessor = limits.threadsPerMultiprocessor;
  device.regsPerBlock = limits.registersPerBlock;
  device.regsPerMultiprocessor = limits.registersPerMultiprocessor;
  device.warpSize = limits.warpSize;
  device.sharedMemPerBlock = limits.sharedBytesPerBlock;
  device.sharedMemPerMultiprocessor = limits.sharedBytesPerMultiprocessor;
  device.numSms = limits.multiprocessors;
  device.sharedMemPerBlockOptin = limits.sharedBytesPerBlockOptin;
  device.reservedSharedMemPerBlock = limits.reservedSharedBytesPerBlock;
  return device;
}

Occupancy occupancyOf(const MultiprocessorLimits &limits,
                      const LaunchNeeds &needs) {
  cudaOccDeviceProp device = deviceProperties(limits);
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = limits.threadsPerBlock;
  kernel.numRegs = needs.registers;
  kernel.sharedSizeBytes = needs.staticSharedBytes;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = needs.dynamicSharedBytes;
  cudaOccDeviceState state;
  cudaOccResult result = {};
  Occupancy found;
  if (needs.threads <= 0 ||
      cudaOccMaxActiveBlocksPerMultiprocessor(
          &result, &device, &kernel, &state, needs.threads,
          needs.dynamicSharedBytes) != CUDA_OCC_SUCCESS ||
      result.activeBlocksPerMultiprocessor <= 0)
    return found;
  found.blocks = result.activeBlocksPerMultiprocessor;
  int warps = (needs.threads + limits.warpSize - 1) / limits.warpSize;
  found.percent = 100.0 * found.blocks * warps * limits.warpSize /
                  limits.threadsPerMultiprocessor;
  for (const LimitName &row : limitNames)
    if (result.limitingFactors & row.factor)
      found.limit += (found.limit.empty() ? "" : ", ") + std::string(row.name);
  return found;
}

} // namespace kclaw
