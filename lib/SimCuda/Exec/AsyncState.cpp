//===- AsyncState.cpp - Landing of copies ---------------------------------===//
#include "AsyncState.h"
#include "../Check/BlockChecks.h"
#include "Fault.h"

#include <algorithm>
#include <cstring>

namespace kclaw::sim {

AsyncState &asyncOf(Block &block) {
  if (!block.async)
    block.async = std::make_shared<AsyncState>();
  return *block.async;
}

ThreadCopies &copiesOf(Warp &w, unsigned lane) {
  AsyncState &state = asyncOf(*w.block);
  if (state.threads.empty())
    state.threads.resize(w.block->warps.size() * lanes);
  return state.threads[w.index * lanes + lane];
}

static SmallCopy landFirst(Block &block, ThreadCopies &copies) {
  SmallCopy copy = copies.small.front();
  std::memcpy(copy.to, copy.from, copy.sourceBytes);
  std::memset(copy.to + copy.sourceBytes, 0,
              size_t(copy.bytes) - copy.sourceBytes);
  markArrived(*block.cluster, copy.to, copy.bytes);
  copies.small.pop_front();
  ++copies.smallLanded;
  return copy;
}

void landSmallGroups(Warp &w, unsigned lane, uint32_t group) {
  Block &block = *w.block;
  ThreadCopies &copies = copiesOf(w, lane);
  while (!copies.small.empty() && copies.small.front().group < group) {
    SmallCopy copy = landFirst(block, copies);
    if (block.checks && copies.smallLanded > copies.smallSignalled)
      block.checks->markLanded(w.index, lane, uint32_t(copy.to - block.shared),
                               copy.bytes);
  }
}

void landSmallCount(Block &block, ThreadCopies &copies, uint64_t count) {
  while (!copies.small.empty() && copies.smallLanded < count)
    landFirst(block, copies);
}

void landBulkGroups(ThreadCopies &copies, uint32_t group) {
  while (!copies.bulk.empty() && copies.bulk.front().group < group) {
    copies.bulk.front().land();
    copies.bulk.pop_front();
  }
}

void finishAsync(Warp &w) {
  uint32_t arrived = w.clusterArrived & w.active;
  w.block->cluster->barrier.arrived -= uint32_t(__builtin_popcount(arrived));
  w.clusterArrived &= ~arrived;
  if (!w.block->async || w.block->async->threads.empty())
    return;
  activeLanes(w, [&](unsigned l) {
    ThreadCopies &copies = copiesOf(w, l);
    landSmallGroups(w, l, ~0u);
    landBulkGroups(copies, ~0u);
    copies = {};
  });
}

Block *ownerOf(Cluster &cluster, const std::byte *at) {
  for (Block &block : cluster.blocks)
    if (at >= block.shared && at < block.shared + block.sharedBytes)
      return &block;
  return nullptr;
}

std::byte *resolveRange(Warp &w, const Inst &inst, unsigned lane, Window window,
                        uint64_t address, uint64_t bytes, AccessKind kind) {
  if (bytes % 16)
    fail(w, inst, FaultKind::Misaligned, lane, address,
         "a bulk copy of " + std::to_string(bytes) +
             " bytes; a multiple of 16 is needed");
  std::byte *first = resolveOne(w, inst, lane, window, address, 16, kind);
  std::byte *last =
      resolveOne(w, inst, lane, window, address + bytes - 16, 16, kind);
  if (ownerOf(*w.block->cluster, first))
    return first;
  Allocation *allocation = w.block->lastAllocation;
  auto base = reinterpret_cast<uintptr_t>(first);
  if (!allocation || last != first + (bytes - 16) ||
      !allocation->reaches(base, bytes))
    fail(w, inst, FaultKind::OutOfBounds, lane, address,
         "a bulk copy of " + std::to_string(bytes) +
             " bytes that leaves its allocation");
  uint64_t offset = base - allocation->base;
  if (kind != AccessKind::Load)
    allocation->markWritten(offset, bytes);
  else if (w.block->grid->options.checks)
    if (int64_t missing = allocation->firstUnwritten(offset, bytes);
        missing >= 0)
      fail(w, inst, FaultKind::Uninitialised, lane,
           allocation->base + uint64_t(missing),
           "a bulk copy reads byte " + std::to_string(missing) +
               " of an allocation of " + std::to_string(allocation->bytes) +
               " bytes that nothing has written yet");
  return first;
}

/// f(block, offset) when the range is in shared memory of the cluster.
template <class F>
static void inShared(Cluster &cluster, const std::byte *at, F &&f) {
  Block *owner = ownerOf(cluster, at);
  if (owner && owner->checks)
    f(*owner, uint32_t(at - owner->shared));
}

void markPending(Cluster &cluster, const std::byte *at, uint64_t bytes) {
  inShared(cluster, at, [&](Block &block, uint32_t offset) {
    asyncOf(block).pendingBytes += bytes;
    block.checks->markPending(offset, uint32_t(bytes));
  });
}
void markArrived(Cluster &cluster, const std::byte *at, uint64_t bytes) {
  inShared(cluster, at, [&](Block &block, uint32_t offset) {
    uint64_t &pending = asyncOf(block).pendingBytes;
    pending -= std::min(pending, bytes);
    block.checks->markArrived(offset, uint32_t(bytes));
  });
}
void markReduced(Cluster &cluster, const std::byte *at, uint64_t bytes) {
  inShared(cluster, at, [&](Block &block, uint32_t offset) {
    block.checks->markArrived(offset, uint32_t(bytes));
  });
}

void noteRead(Warp &w, const Inst &inst, std::span<const uint32_t> offsets) {
  if (w.block->checks)
    w.block->checks->readByTensorCore(w, inst, offsets);
}

void noteRelease(Warp &w, const std::byte *object) {
  if (BlockChecks *checks = w.block->checks) {
    checks->order.release(w.index, reinterpret_cast<uintptr_t>(object));
    checks->fence(*w.block);
  }
}
void noteAcquire(Warp &w, const std::byte *object, uint32_t acquiring) {
  if (BlockChecks *checks = w.block->checks)
    checks->order.acquire(w.index, reinterpret_cast<uintptr_t>(object),
                          acquiring, w.alive);
}

} // namespace kclaw::sim
