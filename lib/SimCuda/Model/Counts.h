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

/// Rate classes of the tensor cores.
enum class TensorKind : uint8_t { F64, Tf32, F16, I8 };
constexpr uint64_t l1BytesPerCycle = 64;

struct Counts {
  static constexpr size_t classes = size_t(InstClass::Count);
  std::array<uint64_t, classes> warpInstructions = {};
  std::array<uint64_t, classes> threadInstructions = {};
  uint64_t branches = 0, divergentBranches = 0;
  // Global memory as the program sees it. Atomics count as stores, too.
  uint64_t globalLoadRequests = 0, globalLoadSectors = 0, globalLoadBytes = 0;
  uint64_t globalStoreRequests = 0, globalStoreSectors = 0,
           globalStoreBytes = 0;
  uint64_t partialWriteSectors = 0; ///< of those: not all bytes written
  uint64_t atomicRequests = 0;
  // Shared memory: passes of the banks, and how many without conflicts.
  uint64_t sharedLoadRequests = 0, sharedLoadWavefronts = 0,
           sharedLoadIdeal = 0;
  uint64_t sharedStoreRequests = 0, sharedStoreWavefronts = 0,
           sharedStoreIdeal = 0;
  uint64_t sharedAtomicTurns = 0; ///< most lanes with one address, summed
  uint64_t localRequests = 0, localSectors = 0, localBytes = 0;
  uint64_t asyncBytes = 0; ///< cp.async, cp.async.bulk, TMA, st.async
  // With cache models: global, local and asynchronous accesses.
  uint64_t l1Lines = 0;      ///< tags looked up
  uint64_t l1Wavefronts = 0; ///< cycles of the L1's data path
  uint64_t l1HitSectors = 0;
  uint64_t l2ReadSectors = 0, l2WriteSectors = 0; ///< atomics: in both
  /// Of the lines that are modelled (Caches.h): sectors read, there or not;
  /// read from memory; written; given to memory.
  uint64_t sampledHits = 0, sampledMisses = 0, sampledFetched = 0,
           sampledWrites = 0, sampledWritten = 0;
  static constexpr size_t slices = 96;
  /// Atomic operations that one slice of the L2 must do one after the other.
  std::array<uint64_t, slices> atomicSlices = {};
  uint64_t barriers = 0;
  uint64_t tensorMultiplyAdds = 0;
  /// Indexed by TensorKind: of mma.sync and wmma, and of wgmma.
  std::array<uint64_t, 4> warpProducts = {}, groupProducts = {};
  // Of the warp of each block that waits longest (CriticalPath.h), summed over
  // the blocks: loads that something waits for, and other cycles.
  uint64_t pathLoads = 0, pathCycles = 0;
  void add(const Counts &other);
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_MODEL_COUNTS_H
