//===- CriticalPath.h - How long one warp needs at least --------*- C++ -*-===//
//
// For each basic block the longest chain of instructions that wait for each
// other: loads from global memory on it, whose latency depends on where the
// data are, and the cycles of everything else. A warp issues one instruction a
// cycle, so a block takes at least as many cycles as it has instructions. The
// interpreter adds up the chains of the blocks that a warp runs through.
//
// Loads move up to where their addresses are known, as ptxas schedules them,
// but not over stores, atomics, barriers and the block's begin.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_CRITICALPATH_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_CRITICALPATH_H

#include "Registers.h"

namespace kclaw::sim {

/// Cycles that chains are compared by: a load counts as long as it takes from
/// the L2.
constexpr uint64_t pathLength(uint64_t loads, uint64_t cycles) {
  return loads * 300 + cycles;
}

/// Per instruction; not zero for the first of each basic block only. `function`
/// is decoded, uses[i] belongs to code[i].
std::vector<PathCost> criticalPaths(Function &function,
                                    const std::vector<RegisterUse> &uses);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_CRITICALPATH_H
