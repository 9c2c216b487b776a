//===- Occupancy.cpp - cuOccupancy* ---------------------------------------===//
//
// From threads, shared memory and the estimated registers of a kernel.
//
//===----------------------------------------------------------------------===//
#include "Launch.h"

#include <algorithm>

namespace kclaw::sim::api {

namespace {

constexpr int registersPerSm = 65536, registersPerWarpUnit = 256;
constexpr int sharedUnit = 128, sharedReserved = 1024, warpLanes = 32;

int roundUp(int value, int unit) { return (value + unit - 1) / unit * unit; }

} // namespace

int activeBlocks(const Kernel &kernel, int threads, size_t dynamicShared) {
  const DeviceModel &m = driver().model();
  if (threads <= 0 || unsigned(threads) > kernel.maxThreads() ||
      dynamicShared > size_t(m.sharedBytesOptin))
    return 0;
  int warps = roundUp(threads, warpLanes) / warpLanes;
  int shared =
      roundUp(int(kernel.function->sharedBytes + dynamicShared), sharedUnit) +
      sharedReserved;
  if (shared - sharedReserved > m.sharedBytesOptin)
    return 0;
  // A kernel that declares its block size was compiled to fit it.
  int perThread = kernel.registers;
  int room = registersPerSm / (warps * warpLanes) / 8 * 8;
  if (kernel.function->ast->directives.contains(".maxntid") ||
      kernel.function->ast->directives.contains(".reqntid") || threads <= 1024)
    perThread = std::min(perThread, std::max(room, 16));
  int perWarp = roundUp(perThread * warpLanes, registersPerWarpUnit);
  int byRegisters = registersPerSm / perWarp / warps;
  int byThreads = m.threadsPerSm / (warps * warpLanes);
  return std::min(
      {m.blocksPerSm, byThreads, byRegisters, m.sharedBytesPerSm / shared});
}

static void bestBlock(int *minGrid, int *block, const Kernel &kernel,
                      CUoccupancyB2DSize sharedOf, size_t shared, int limit) {
  require(minGrid && block);
  int most = int(kernel.maxThreads());
  if (limit > 0)
    most = std::min(most, limit);
  int best = 0, bestThreads = 0, bestBlocks = 0;
  for (int threads = roundUp(most, warpLanes); threads > 0;
       threads -= warpLanes) {
    int size = std::min(threads, most);
    int blocks = activeBlocks(kernel, size, sharedOf ? sharedOf(size) : shared);
    if (blocks * size > best) {
      best = blocks * size;
      bestThreads = size;
      bestBlocks = blocks;
    }
  }
  *minGrid = bestBlocks * driver().model().smCount;
  *block = bestThreads;
}

} // namespace kclaw::sim::api

using namespace kclaw::sim;
using namespace kclaw::sim::api;

KCL_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *out, CUfunction f, int threads, size_t shared, unsigned flags) {
  return call(Needs::Context, [&] {
    require(out && threads > 0 && flags <= 1);
    *out = activeBlocks(kernelOf(f), threads, shared);
  });
}
KCL_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, CUfunction f,
                                                    int threads,
                                                    size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out, f, threads,
                                                              shared, 0);
}
KCL_API cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGrid, int *block,
                                                  CUfunction f,
                                                  CUoccupancyB2DSize sharedOf,
                                                  size_t shared, int limit,
                                                  unsigned flags) {
  return call(Needs::Context, [&] {
    require(flags <= 1);
    bestBlock(minGrid, block, kernelOf(f), sharedOf, shared, limit);
  });
}
KCL_API cuOccupancyMaxPotentialBlockSize(int *minGrid, int *block, CUfunction f,
                                         CUoccupancyB2DSize sharedOf,
                                         size_t shared, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(minGrid, block, f, sharedOf,
                                                   shared, limit, 0);
}
KCL_API cuOccupancyAvailableDynamicSMemPerBlock(size_t *out, CUfunction f,
                                                int blocks, int threads) {
  return call(Needs::Context, [&] {
    require(out && blocks > 0 && threads > 0);
    const DeviceModel &m = driver().model();
    Kernel &kernel = kernelOf(f);
    int each = m.sharedBytesPerSm / blocks / sharedUnit * sharedUnit -
               sharedReserved - int(kernel.function->sharedBytes);
    *out = size_t(std::clamp(each, 0, m.sharedBytesOptin));
  });
}
KCL_API cuOccupancyMaxPotentialClusterSize(int *out, CUfunction f,
                                           const CUlaunchConfig *config) {
  return call(Needs::Context, [&] {
    require(out && config);
    Kernel &kernel = kernelOf(f);
    require(driver().model().clusters, CUDA_ERROR_NOT_SUPPORTED);
    int threads =
        int(config->blockDimX * config->blockDimY * config->blockDimZ);
    bool fits = activeBlocks(kernel, threads, config->sharedMemBytes) > 0;
    *out = !fits ? 0 : kernel.nonPortableCluster ? 16 : 8;
  });
}
KCL_API cuOccupancyMaxActiveClusters(int *out, CUfunction f,
                                     const CUlaunchConfig *config) {
  return call(Needs::Context, [&] {
    require(out && config);
    Kernel &kernel = kernelOf(f);
    require(driver().model().clusters, CUDA_ERROR_NOT_SUPPORTED);
    int threads =
        int(config->blockDimX * config->blockDimY * config->blockDimZ);
    int size = 1;
    for (unsigned i = 0; i < config->numAttrs; ++i)
      if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
        const auto &d = config->attrs[i].value.clusterDim;
        size = int(d.x * d.y * d.z);
      }
    require(size > 0 && size <= (kernel.nonPortableCluster ? 16 : 8),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
    *out = activeBlocks(kernel, threads, config->sharedMemBytes) *
           driver().model().smCount / size;
  });
}
