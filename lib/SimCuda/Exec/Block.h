//===- Block.h - Blocks, clusters, the grid ---------------------*- C++ -*-===//
//
// A host thread owns whole clusters (a block alone is a cluster of one) and
// runs their warps in turn. Nothing here is shared between host threads but
// the Grid's immutable part and its atomics.
//
// The 32-bit shared window: bits 24.. are the block's rank in its cluster, and
// the first 1024 bytes of a window belong to the system, as on sm_90.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_BLOCK_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_BLOCK_H

#include "../Model/Counts.h"
#include "Program.h"
#include "Warp.h"

#include <atomic>
#include <memory>

namespace kclaw::sim {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

constexpr uint32_t sharedSystemBytes = 1024;
constexpr unsigned sharedRankShift = 24;

struct LaunchConfig {
  Dim3 grid, block, cluster;
  uint32_t dynamicSharedBytes = 0;
  bool cooperative = false;
  bool clustered = false; ///< the launch or the kernel asked for a cluster
  std::vector<std::byte> parameters; ///< at Function::parameterOffsets
};

struct ExecOptions {
  bool checks = true;
  unsigned hostThreads = 2;
  uint64_t budget = 0; ///< warp instructions of one launch; 0: none
};

/// One hardware barrier of a block (bar 0..15). Threads, not warps, arrive.
struct Barrier {
  uint32_t expected = 0, arrived = 0;
  uint32_t generation = 0;
  uint32_t votes = 0, voteAnd = 0, voteOr = 0; ///< bar.red: of the last one
  uint32_t pendingVotes = 0;                   ///< ... and of the next
  bool pendingAll = true, pendingAny = false;
};

struct BlockChecks;   ///< Check/: what the checks know of a block
struct AccessPattern; ///< Exec/Pattern.h
struct AsyncState;    ///< pending copies and transactions of a block
class L1Cache;        ///< Model/Caches.h
class L2Cache;

struct Grid {
  const Program *program = nullptr;
  const Function *kernel = nullptr;
  const LaunchConfig *config = nullptr;
  ExecOptions options;
  DeviceMemory *memory = nullptr;
  uint32_t launchId = 0;
  int smCount = 1;
  L2Cache *l2 = nullptr; ///< null: caches are not modelled
  uint64_t l1Bytes = 0;  ///< a resident block's share of the L1
  std::atomic<uint64_t> nextCluster{0};
  std::atomic<uint64_t> instructions{0};
  std::atomic<bool> failed{false};
  /// What %envreg1 and 2 hold, high half first: the address of the grid barrier
  /// of a cooperative launch.
  uint64_t workspace = 0;
  // Of the race check: this launch's number, and the blocks that are ordered
  // with others by fences and atomics (block modulo count).
  uint32_t raceEpoch = 0;
  uint64_t orderedBlockCount = 1;
  std::unique_ptr<std::atomic<uint8_t>[]> orderedBlocks;
  /// Kernel parameters as memory, for cvta.param and tensor maps.
  std::vector<std::byte> parameterMemory;
};

struct Cluster;

struct Block {
  Grid *grid = nullptr;
  Cluster *cluster = nullptr;
  uint32_t rank = 0; ///< in its cluster
  Dim3 index;        ///< blockIdx
  uint64_t linear = 0;
  std::vector<Warp> warps;
  std::byte *shared = nullptr; ///< window start: sharedSystemBytes included
  uint32_t sharedBytes = 0;    ///< of the window, system bytes included
  std::byte *local = nullptr;  ///< thread t: local + t * localStride
  uint32_t localStride = 0;
  Barrier barriers[16];
  uint32_t barrierEpoch = 0; ///< completed barriers: happens-before order
  uint32_t aliveThreads = 0;
  Counts counts; ///< of the host thread's share; merged at the end
  Allocation *lastAllocation = nullptr; ///< lookup cache
  std::shared_ptr<AsyncState> async;    ///< null until its first use
  BlockChecks *checks = nullptr;        ///< null: checks are off
  AccessPattern *patterns = nullptr;
  L1Cache *l1 = nullptr; ///< null: not modelled

  uint32_t windowBase() const { return rank << sharedRankShift; }
  /// A thread's number in its block, and back.
  Dim3 threadIndex(uint32_t linearThread) const;
};

struct Cluster {
  std::vector<Block> blocks;
  Barrier barrier;          ///< barrier.cluster
  uint64_t failedPolls = 0; ///< instructions that found that they must wait
  bool signalled = false;   ///< its blocks order themselves not only by it
  Dim3 index;
};

/// Runs the whole grid on options.hostThreads threads. Throws FaultError.
Counts runGrid(Grid &grid);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_BLOCK_H
