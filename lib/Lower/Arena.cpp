//===- Arena.cpp - Offsets for temporaries of known size ------------------===//
//
// First fit, largest buffer first.
//
//===----------------------------------------------------------------------===//
#include "Arena.h"

#include <algorithm>
#include <numeric>

namespace kclaw {

static uint64_t alignUp(uint64_t bytes) {
  return (bytes + arenaAlignmentBytes - 1) / arenaAlignmentBytes *
         arenaAlignmentBytes;
}

/// Sums stay at the largest number instead of wrapping round.
static uint64_t addSaturating(uint64_t a, uint64_t b) {
  return a + b < a ? UINT64_MAX : a + b;
}

ArenaPlan planArena(const std::vector<LiveBuffer> &buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return buffers[a].sizeBytes > buffers[b].sizeBytes;
  });

  ArenaPlan plan;
  plan.offsets.resize(buffers.size());
  // Placed buffers by offset, so that one sweep finds the first gap.
  std::vector<size_t> placed;
  auto byOffset = [&](size_t a, size_t b) {
    return plan.offsets[a] < plan.offsets[b];
  };
  for (size_t index : order) {
    const LiveBuffer &buffer = buffers[index];
    uint64_t size = alignUp(std::max<uint64_t>(buffer.sizeBytes, 1));
    uint64_t offset = 0;
    for (size_t other : placed) {
      const LiveBuffer &taken = buffers[other];
      if (taken.end < buffer.begin || buffer.end < taken.begin)
        continue;
      if (addSaturating(offset, size) <= plan.offsets[other])
        break;
      offset = std::max(
          offset,
          addSaturating(plan.offsets[other],
                        alignUp(std::max<uint64_t>(taken.sizeBytes, 1))));
    }
    plan.offsets[index] = offset;
    plan.sizeBytes = std::max(plan.sizeBytes, addSaturating(offset, size));
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), index, byOffset), index);
  }
  return plan;
}

} // namespace kclaw
