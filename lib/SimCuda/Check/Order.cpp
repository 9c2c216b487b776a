//===- Order.cpp ----------------------------------------------------------===//
#include "Order.h"

#include <algorithm>

namespace kclaw::sim {

bool Order::beginBlock() {
  uint32_t last = 0;
  for (const WarpOrder &warp : warps)
    last = std::max(last, warp.now);
  bool anew = last > stamp::lastTime / 2;
  if (anew)
    last = 0;
  blockStart = last + 1;
  outOfTime = false;
  objects.clear();
  for (WarpOrder &warp : warps) {
    warp.now = blockStart + 1;
    warp.floor = blockStart;
    warp.touched = false;
    warp.seen.fill(blockStart);
    warp.laneSync.fill(blockStart + 1);
  }
  return anew;
}

bool Order::ordered(uint32_t warp, unsigned lane, Stamp old) const {
  const WarpOrder &mine = warps[warp];
  uint32_t time = stamp::time(old);
  if (time <= mine.floor || outOfTime)
    return true;
  uint32_t other = stamp::warp(old);
  if (other != warp)
    return time <= mine.seen[other];
  if (!(old & stamp::several) && stamp::lane(old) == lane)
    return true;
  return time < mine.laneSync[lane];
}

void Order::step(WarpOrder &order) {
  order.touched = false;
  if (++order.now >= stamp::lastTime) {
    order.now = stamp::lastTime;
    outOfTime = true;
  }
}

void Order::refreshFloor(uint32_t warp, uint32_t alive) {
  WarpOrder &mine = warps[warp];
  uint32_t floor = ~0u;
  for (uint32_t u = 0; u < warps.size(); ++u)
    if (u != warp)
      floor = std::min(floor, mine.seen[u]);
  for (unsigned l = 0; l < lanes; ++l)
    if ((alive >> l) & 1)
      floor = std::min(floor, mine.laneSync[l] - 1);
  mine.floor = std::max(mine.floor, floor == ~0u ? 0 : floor);
}

void Order::warpSync(uint32_t warp, uint32_t members, uint32_t alive) {
  WarpOrder &mine = warps[warp];
  if (!mine.touched && members == alive &&
      mine.laneSync[unsigned(__builtin_ctz(alive | 1u << 31))] == mine.now)
    return;
  step(mine);
  for (unsigned l = 0; l < lanes; ++l)
    if ((members >> l) & 1)
      mine.laneSync[l] = mine.now;
  if (warps.size() == 1)
    refreshFloor(warp, alive);
}

void Order::arrive(uint32_t warp, Clock &barrier) {
  WarpOrder &mine = warps[warp];
  for (uint32_t u = 0; u < warps.size(); ++u)
    barrier[u] = std::max(barrier[u], mine.seen[u]);
  barrier[warp] = std::max(barrier[warp], mine.now);
  step(mine);
}

void Order::leave(uint32_t warp, const Clock &barrier, uint32_t leavingLanes,
                  uint32_t alive) {
  WarpOrder &mine = warps[warp];
  for (uint32_t u = 0; u < warps.size(); ++u)
    mine.seen[u] = std::max(mine.seen[u], barrier[u]);
  step(mine);
  // Lanes that leave together arrived: they are ordered among themselves.
  for (unsigned l = 0; l < lanes; ++l)
    if ((leavingLanes >> l) & 1)
      mine.laneSync[l] = mine.now;
  refreshFloor(warp, alive);
}

void Order::meet() {
  uint32_t last = 0;
  for (const WarpOrder &warp : warps)
    last = std::max(last, warp.now);
  if (last + 1 >= stamp::lastTime)
    outOfTime = true;
  else
    ++last;
  for (WarpOrder &warp : warps) {
    warp.now = last;
    warp.floor = last - 1;
    warp.touched = false;
    warp.seen.fill(last - 1);
    warp.laneSync.fill(last);
  }
}

void Order::acquire(uint32_t warp, uintptr_t object, uint32_t acquiring,
                    uint32_t alive) {
  auto found = objects.find(object);
  if (found != objects.end())
    leave(warp, found->second, acquiring, alive);
}

} // namespace kclaw::sim
