//===- Occupancy.h - How many blocks fit on a multiprocessor ----*- C++ -*-===//
//
// NVIDIA's occupancy calculator (cuda_occupancy.h), on plain numbers.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_OCCUPANCY_H
#define KERNELCLAW_CUDA_OCCUPANCY_H

#include "kernelclaw/Cuda/DriverApi.h"

#include <cstddef>
#include <string>

namespace kclaw {

/// What a multiprocessor and a block may have.
struct MultiprocessorLimits {
  int computeMajor = 0, computeMinor = 0;
  int multiprocessors = 0;
  int warpSize = 32;
  int threadsPerBlock = 0, threadsPerMultiprocessor = 0;
  int registersPerBlock = 0, registersPerMultiprocessor = 0;
  size_t sharedBytesPerBlock = 0, sharedBytesPerBlockOptin = 0;
  size_t sharedBytesPerMultiprocessor = 0, reservedSharedBytesPerBlock = 0;
};

MultiprocessorLimits readLimits(const DriverApi &api, CUdevice device);

/// What one launch takes.
struct LaunchNeeds {
  int threads = 0; ///< of a block
  int registers = 0;
  size_t staticSharedBytes = 0, dynamicSharedBytes = 0;
};

struct Occupancy {
  int blocks = 0;     ///< that fit on a multiprocessor; 0: unknown
  double percent = 0; ///< their warps, of the most
  std::string limit;  ///< what allows no more: "registers, block size"
};

/// All zero when the calculator does not know the device.
Occupancy occupancyOf(const MultiprocessorLimits &limits,
                      const LaunchNeeds &needs);

} // namespace kclaw

#endif // KERNELCLAW_CUDA_OCCUPANCY_H
