//===- Run.h - The interpreter ----------------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_RUN_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_RUN_H

#include "Block.h"

namespace kclaw::sim {

/// Runs a warp for at most a slice. False: no split was ready.
bool runWarp(Warp &w);

/// Runs all warps of the clusters in turn until all threads have ended. Throws
/// FaultError; returns early when another host thread's cluster failed.
void runClusters(std::vector<Cluster> &clusters);

/// A new block takes over the memory of the last one: forgets what the checks
/// and asynchronous copies knew.
void beginBlock(Block &block);

/// Releases the splits that wait at barrier `id` when enough threads arrived;
/// called on arrival and when threads exit.
void completeBarrier(Block &block, unsigned id);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_RUN_H
