//===- Mbarrier.cpp - mbarrier objects and the cluster's barrier ----------===//
#include "../Check/BlockChecks.h"
#include "AsyncState.h"

#include <cstring>

namespace kclaw::sim {

// bits 0..19 pending, 20..39 expected, 40..61 transactions, 62 phase, 63 live
Mbarrier Mbarrier::unpack(uint64_t word) {
  Mbarrier value;
  value.pending = uint32_t(word) & maxCount;
  value.expected = uint32_t(word >> 20) & maxCount;
  value.transactions = int32_t(int64_t(word << 2) >> 42);
  value.phase = (word >> 62) & 1;
  value.live = word >> 63;
  return value;
}

uint64_t Mbarrier::pack() const {
  return uint64_t(pending & maxCount) | uint64_t(expected & maxCount) << 20 |
         (uint64_t(uint32_t(transactions)) & 0x3fffff) << 40 |
         uint64_t(phase) << 62 | uint64_t(live) << 63;
}

Mbarrier loadMbarrier(const std::byte *at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return Mbarrier::unpack(word);
}

template <class F> static void eachSplit(Cluster &cluster, F &&f) {
  for (Block &block : cluster.blocks)
    for (Warp &w : block.warps)
      for (Split &split : w.splits)
        f(w, split);
}

void storeMbarrier(Cluster &cluster, std::byte *at, Mbarrier value) {
  bool complete = value.live && !value.pending && !value.transactions;
  if (complete) {
    value.phase = !value.phase;
    value.pending = value.expected;
  }
  uint64_t word = value.pack();
  std::memcpy(at, &word, sizeof word);
  if (!complete)
    return;
  auto token = reinterpret_cast<uint64_t>(at);
  eachSplit(cluster, [&](Warp &, Split &split) {
    if (split.state == Split::State::AtWait && split.token == token)
      split.state = Split::State::Ready;
  });
}

void completeTransaction(Cluster &cluster, std::byte *at, uint64_t bytes) {
  Mbarrier value = loadMbarrier(at);
  value.transactions -= int32_t(bytes);
  storeMbarrier(cluster, at, value);
}

void defer(Cluster &cluster, std::byte *mbarrier, Landing land) {
  Block *owner = ownerOf(cluster, mbarrier);
  asyncOf(*owner).transactions[reinterpret_cast<uintptr_t>(mbarrier)].push_back(
      std::move(land));
}

void landTransactions(Cluster &cluster, std::byte *mbarrier) {
  Block *owner = ownerOf(cluster, mbarrier);
  if (!owner || !owner->async)
    return;
  auto &all = owner->async->transactions;
  auto found = all.find(reinterpret_cast<uintptr_t>(mbarrier));
  if (found == all.end())
    return;
  std::vector<Landing> landings = std::move(found->second);
  all.erase(found);
  for (Landing &land : landings)
    land();
}

void completeClusterBarrier(Cluster &cluster) {
  uint32_t alive = 0;
  for (const Block &block : cluster.blocks)
    alive += block.aliveThreads;
  if (!cluster.barrier.arrived || cluster.barrier.arrived < alive)
    return;
  cluster.barrier.arrived = 0;
  ++cluster.barrier.generation;
  for (Block &block : cluster.blocks) {
    ++block.barrierEpoch;
    if (block.checks) // orders the block's threads, and it with the others
      block.checks->meetCluster(block);
    for (Warp &w : block.warps)
      w.clusterArrived = 0;
  }
  eachSplit(cluster, [&](Warp &, Split &split) {
    if (split.state == Split::State::AtBarrier &&
        split.token == clusterBarrierToken)
      split.state = Split::State::Ready;
  });
}

} // namespace kclaw::sim
