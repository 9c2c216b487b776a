//===- Order.h - Happens-before among the threads of a block ----*- C++ -*-===//
//
// One clock a warp, and for each pair of warps up to which time of the other
// this one is ordered behind it (a vector clock). Barriers join clocks; a
// *.sync operation orders the lanes of its warp. Whatever is not exact errs on
// the side of "ordered": a check never reports what may be right.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_CHECK_ORDER_H
#define KERNELCLAW_LIB_SIMCUDA_CHECK_ORDER_H

#include "../Exec/Code.h"
#include "Stamp.h"

#include <unordered_map>
#include <vector>

namespace kclaw::sim {

using Clock = std::array<uint32_t, 32>; ///< a time for each warp

struct WarpOrder {
  uint32_t now = 1;     ///< time of this warp's accesses
  uint32_t floor = 0;   ///< everything up to here is ordered, whoever did it
  bool touched = false; ///< accesses since the last step of the clock
  Clock seen = {};      ///< accesses of warp u up to seen[u] come before
  /// Accesses of this warp before laneSync[l] come before those of lane l.
  std::array<uint32_t, lanes> laneSync = {};
};

class Order {
public:
  explicit Order(size_t warpCount) : warps(warpCount) {}

  /// A new block: everything so far is behind it. True when time had to start
  /// anew, so that stamps must be cleared.
  bool beginBlock();
  /// First time of this block: of what is before all of its threads, such as
  /// data that asynchronous copies brought.
  uint32_t start() const { return blockStart; }
  /// The block has outlived its clock: no more races are looked for.
  bool exhausted() const { return outOfTime; }

  WarpOrder &operator[](uint32_t warp) { return warps[warp]; }

  bool ordered(uint32_t warp, unsigned lane, Stamp old) const;

  void warpSync(uint32_t warp, uint32_t members, uint32_t alive);
  /// Barriers: what the arriving warp did is before what leaving warps do.
  void arrive(uint32_t warp, Clock &barrier);
  void leave(uint32_t warp, const Clock &barrier, uint32_t leavingLanes,
             uint32_t alive);
  /// All threads of the block meet.
  void meet();
  /// The same for objects in memory (mbarrier, flags), by address.
  void release(uint32_t warp, uintptr_t object) {
    arrive(warp, objects[object]);
  }
  void acquire(uint32_t warp, uintptr_t object, uint32_t acquiring,
               uint32_t alive);

private:
  void step(WarpOrder &order);
  void refreshFloor(uint32_t warp, uint32_t alive);

  std::vector<WarpOrder> warps;
  std::unordered_map<uintptr_t, Clock> objects;
  uint32_t blockStart = 1;
  bool outOfTime = false;
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_CHECK_ORDER_H
