//===- AsyncChecks.cpp - Copies in flight, reads of the tensor cores ------===//
#include "../Exec/Fault.h"
#include "BlockChecks.h"

namespace kclaw::sim {

void BlockChecks::forgetPending() {
  for (uint32_t g = 0; g < granules; ++g)
    if (writer[g] == stamp::pending)
      writer[g] = 0;
}

void BlockChecks::markLanded(uint32_t warp, unsigned lane, uint32_t offset,
                             uint32_t bytes) {
  order[warp].touched = true;
  for (uint32_t g = offset / 4; g < (offset + bytes) / 4; ++g)
    writer[g] = order[warp].now << stamp::timeShift | warp << stamp::warpShift |
                lane << stamp::laneShift | stamp::allBytes;
}

void BlockChecks::readByTensorCore(Warp &w, const Inst &inst,
                                   std::span<const uint32_t> offsets) {
  auto lane = unsigned(__builtin_ctz(w.active));
  for (uint32_t offset : offsets) {
    bool known = false;
    for (uint32_t g = offset / 4; g < offset / 4 + 4; ++g) {
      if (writer[g] == stamp::pending)
        fail(w, inst, FaultKind::MissingWait, lane,
             w.block->windowBase() + offset,
             "reads shared memory that an asynchronous copy is still writing");
      known |= stamp::time(writer[g]) >= order.start() || defined(4 * g);
    }
    if (!known)
      fail(w, inst, FaultKind::Uninitialised, lane,
           w.block->windowBase() + offset,
           "16 bytes at byte " + std::to_string(offset - sharedSystemBytes) +
               " of shared memory were never written by this block");
  }
}

} // namespace kclaw::sim
