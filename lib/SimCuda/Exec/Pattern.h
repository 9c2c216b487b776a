//===- Pattern.h - The shape of a warp's addresses --------------*- C++ -*-===//
//
// How the lanes' addresses lie to each other decides sectors, bank conflicts
// and which lanes share an address. Most instructions have one shape for ever,
// so the last one of an instruction is kept (per block: no locks).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_PATTERN_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_PATTERN_H

#include "Block.h"

namespace kclaw::sim {

struct AccessPattern {
  const Inst *inst = nullptr;
  uint32_t active = 0;
  uint32_t low = 0; ///< the first address modulo 32
  bool shared = false;
  bool contiguous = false;
  uint32_t leaders = 0; ///< the lowest lane of each distinct address
  uint32_t several = 0; ///< leaders whose address other lanes have, too
  uint32_t cost = 0;    ///< 32-byte sectors; shared: wavefronts
  uint32_t ideal = 0;   ///< shared: wavefronts without conflicts
  uint32_t serial = 1;  ///< the most lanes with one address
  alignas(32) std::array<uint32_t, lanes> relative = {}; ///< to the first lane
  Allocation *allocation = nullptr;  ///< that the instruction last accessed
  static constexpr size_t kept = 64; ///< in Block::patterns
};

/// The instruction's place; others may share it.
inline AccessPattern &patternSlot(Block &block, const Inst &inst) {
  return block.patterns[reinterpret_cast<uintptr_t>(&inst) / sizeof(Inst) %
                        AccessPattern::kept];
}

/// `relative[l]` of inactive lanes must be 0. Valid until the next call.
const AccessPattern &patternOf(Block &block, const Inst &inst, uint32_t active,
                               const uint32_t *relative, uint32_t low,
                               unsigned bytes, bool shared);

/// Passes of the 32 banks of 4 bytes: accesses of 4 bytes or less in one phase
/// of 32 lanes, of 8 bytes in halves, of 16 bytes in quarters of the warp;
/// lanes that read the same word share it.
uint32_t sharedWavefronts(const uint32_t *address, uint32_t active,
                          unsigned bytes);
/// The same of accesses without bank conflicts: phases with an active lane.
uint32_t sharedPhases(uint32_t active, unsigned bytes);
/// Distinct 32-byte sectors.
uint32_t sectorCount(const uint32_t *address, uint32_t active, unsigned bytes);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_PATTERN_H
