//===- Arena.h - Offsets for temporaries of known size ----------*- C++ -*-===//
//
// First fit over live intervals. No IR: PlanMemory collects the intervals.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_LOWER_ARENA_H
#define KERNELCLAW_LIB_LOWER_ARENA_H

#include <cstdint>
#include <vector>

namespace kclaw {

/// Every offset is a multiple of it, and so is the size of an arena.
inline constexpr uint64_t arenaAlignmentBytes = 256;

/// A buffer that holds data from operation `begin` to operation `end`, both
/// included; positions count the operations of a function's body.
struct LiveBuffer {
  uint64_t sizeBytes = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct ArenaPlan {
  std::vector<uint64_t> offsets; ///< one per buffer, same order
  uint64_t sizeBytes = 0;        ///< UINT64_MAX: more than 64 bits hold
};

/// Places larger buffers first; each at the lowest offset where it overlaps no
/// placed buffer that is live at the same time.
ArenaPlan planArena(const std::vector<LiveBuffer> &buffers);

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_ARENA_H
