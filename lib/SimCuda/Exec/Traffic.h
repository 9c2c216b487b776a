//===- Traffic.h - What accesses cost in the memory system ------*- C++ -*-===//
//
// Counts requests, bytes and sectors of each level; the cache models, where
// the grid has them, say where the sectors come from.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_TRAFFIC_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_TRAFFIC_H

#include "Access.h"

namespace kclaw::sim {

/// One request of a warp to global memory: the lanes of `leaders` have the
/// distinct addresses at[l], each of `bytes`; `active` lanes take part.
struct GlobalRequest {
  AccessKind kind;
  const uint64_t *at;
  uint32_t active, leaders;
  unsigned bytes;
  uint32_t sectors; ///< distinct 32-byte ones
  bool contiguous;  ///< at[l] == at[0] + l * bytes for all 32
  bool throughL1;
};
void countGlobal(Block &block, const GlobalRequest &request);
/// cp.async's request, which counts as asynchronous bytes.
void countAsync(Block &block, const GlobalRequest &request);

/// Shared memory: passes of the banks, and how many the same access would take
/// without conflicts; `serial`: the most lanes with one address (atomics).
void countShared(Counts &counts, AccessKind kind, uint32_t wavefronts,
                 uint32_t ideal, uint32_t serial);

/// Local memory, where 32 lanes' words of four bytes lie side by side: lanes of
/// `active` at `offset[l]` in their stacks.
void countLocal(Warp &w, AccessKind kind, const uint64_t *offset,
                uint32_t active, unsigned bytes);

/// A copy engine's (cp.async.bulk, TMA) run of bytes, past L1.
/// Does not count them as asynchronous.
void countRange(Block &block, AccessKind kind, const std::byte *at,
                uint64_t bytes);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_TRAFFIC_H
