//===- Counts.h - What a launch did -----------------------------*- C++ -*-===//
//
// Plain sums, kept per host thread and merged. Thread instructions are warp
// instructions times active lanes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_MODEL_COUNTS_H
#define KERNELCLAW_LIB_SIMCUDA_MODEL_COUNTS_H

#include "../Exec/Code.h"

namespace kclaw::sim {

struct Counts {
  static constexpr size_t classes = size_t(InstClass::Count);
  std::array<uint64_t, classes> warpInstructions = {};
  std::array<uint64_t, classes> threadInstructions = {};
  uint64_t branches = 0, divergentBranches = 0;
  uint64_t globalLoadRequests = 0, globalLoadSectors = 0, globalLoadBytes = 0;
  uint64_t globalStoreRequests = 0, globalStoreSectors = 0,
           globalStoreBytes = 0;
  uint64_t atomicRequests = 0;
  uint64_t sharedLoadRequests = 0, sharedLoadWavefronts = 0;
  uint64_t sharedStoreRequests = 0, sharedStoreWavefronts = 0;
  uint64_t localBytes = 0;
  uint64_t asyncBytes = 0;
  uint64_t barriers = 0;
  uint64_t tensorMultiplyAdds = 0;
  void add(const Counts &other);
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_MODEL_COUNTS_H
