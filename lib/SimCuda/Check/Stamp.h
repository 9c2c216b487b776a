//===- Stamp.h - Who accessed four bytes, and when --------------*- C++ -*-===//
//
// The shadow of four bytes of memory keeps stamps of accesses. A stamp orders
// by its time first, so that "before this time" is one comparison:
//
//   bits 31..16  time: the warp's clock (Check/Order.h), 1 is the first
//        15..11  warp in its block
//        10..6   lane; of several lanes: 1 when they touched different bytes
//        5       several lanes of the warp
//        4       strong (atomic, volatile, relaxed, ...): no race among those
//        3..0    which of the four bytes
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_CHECK_STAMP_H
#define KERNELCLAW_LIB_SIMCUDA_CHECK_STAMP_H

#include <cstdint>

namespace kclaw::sim {

using Stamp = uint32_t;

namespace stamp {
constexpr uint32_t timeShift = 16, warpShift = 11, laneShift = 6;
constexpr Stamp several = 1u << 5, strong = 1u << 4, allBytes = 15;
constexpr uint32_t lastTime = 0xfff0;
/// Bytes that an asynchronous copy is about to write.
constexpr Stamp pending = ~0u;
constexpr Stamp mixed = several | (1u << laneShift);

inline uint32_t time(Stamp s) { return s >> timeShift; }
inline uint32_t warp(Stamp s) { return (s >> warpShift) & 31; }
inline uint32_t lane(Stamp s) { return (s >> laneShift) & 31; }
inline uint32_t bytes(Stamp s) { return s & allBytes; }
inline bool isMixed(Stamp s) {
  return (s & several) && (s & (1u << laneShift));
}
/// Time and warp: equal for accesses of one warp between two of its syncs.
inline uint32_t interval(Stamp s) { return s >> warpShift; }

/// The stamp of both, which have the same interval.
inline Stamp merge(Stamp old, Stamp now) {
  constexpr Stamp who = (31u << laneShift) | several;
  Stamp bytes = (old | now) & allBytes, weak = old & now & strong;
  Stamp base = old & ~(who | strong | allBytes);
  if ((old & who) == (now & who))
    return base | (old & who) | weak | bytes;
  bool sameBytes = (old & allBytes) == (now & allBytes);
  bool mix = !sameBytes || isMixed(old) || isMixed(now);
  return base | (mix ? mixed : several) | weak | bytes;
}
} // namespace stamp

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_CHECK_STAMP_H
