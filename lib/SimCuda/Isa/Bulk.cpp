//===- Bulk.cpp - cp.async.bulk, cp.reduce.async.bulk ---------------------===//
#include "Bulk.h"
#include "../Exec/AsyncState.h"
#include "../Exec/Fault.h"
#include "../Exec/Traffic.h"
#include "Places.h"
#include "Reduce.h"

#include <cstring>

namespace kclaw::sim {

void addBulkCopy(Warp &w, unsigned lane, Landing land) {
  ThreadCopies &copies = copiesOf(w, lane);
  copies.bulk.push_back({std::move(land), copies.bulkCommitted});
}

std::byte *mbarrierFor(Warp &w, const Inst &i, unsigned lane, Place place) {
  std::byte *at = resolveOne(w, i, lane, place.window(), place.address(w, lane),
                             8, AccessKind::Atomic);
  if (!loadMbarrier(at).live || !ownerOf(*w.block->cluster, at))
    fail(w, i, FaultKind::IllegalInstruction, lane, place.address(w, lane),
         "the copy signals a mbarrier that is not initialised");
  return at;
}

void needCluster(Warp &w, const Inst &i) {
  if (!w.block->grid->config->clustered)
    fail(w, i, FaultKind::IllegalInstruction,
         unsigned(std::countr_zero(w.active)), 0,
         "needs a launch with a cluster: __cluster_dims__ or "
         "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION");
}

Block &blockOf(Warp &w, const Inst &i, unsigned lane, unsigned rank) {
  auto &blocks = w.block->cluster->blocks;
  if (rank >= blocks.size())
    fail(w, i, FaultKind::IllegalInstruction, lane, 0,
         "multicast to block " + std::to_string(rank) + " of a cluster of " +
             std::to_string(blocks.size()));
  return blocks[rank];
}

namespace {

/// What lands: a copy, or with a reduction of what is there.
void put(Cluster &cluster, std::byte *to, const std::byte *from, uint64_t bytes,
         Reduction reduction) {
  if (reduction) {
    reduction(to, from, bytes);
    markReduced(cluster, to, bytes);
    return;
  }
  std::memcpy(to, from, bytes);
  markArrived(cluster, to, bytes);
}

Reduction reductionOf(const Inst &i) {
  return reinterpret_cast<Reduction>(i.imm2);
}

/// Into shared memory: places to, from, mbarrier; b: bytes; c: block mask.
void runToShared(Warp &w, const Inst &i) {
  Cluster *cluster = w.block->cluster;
  Place to = placeOf(w, i, 0), from = placeOf(w, i, 1),
        signal = placeOf(w, i, 2);
  if (from.window() == Window::Shared)
    needCluster(w, i);
  activeLanes(w, [&](unsigned l) {
    uint64_t bytes = w.in<uint32_t>(i.b)[l];
    if (!bytes)
      return;
    Reduction reduction = reductionOf(i);
    const std::byte *source = resolveRange(
        w, i, l, from.window(), from.address(w, l), bytes, AccessKind::Load);
    std::byte *target =
        resolveRange(w, i, l, to.window(), to.address(w, l), bytes,
                     reduction ? AccessKind::Atomic : AccessKind::Store);
    std::byte *barrier = mbarrierFor(w, i, l, signal);
    if (!ownerOf(*cluster, source))
      countRange(*w.block, AccessKind::Load, source, bytes);
    auto copyTo = [&](std::byte *at, std::byte *notify) {
      if (!reduction)
        markPending(*cluster, at, bytes);
      defer(*cluster, notify, [=] {
        put(*cluster, at, source, bytes, reduction);
        completeTransaction(*cluster, notify, bytes);
      });
      w.block->counts.asyncBytes += bytes;
    };
    if (i.c == noRef)
      return copyTo(target, barrier);
    Block &first = *ownerOf(*cluster, target),
          &other = *ownerOf(*cluster, barrier);
    for (uint32_t mask = w.in<uint16_t>(i.c)[l]; mask; mask &= mask - 1) {
      Block &block = blockOf(w, i, l, unsigned(std::countr_zero(mask)));
      copyTo(block.shared + (target - first.shared),
             block.shared + (barrier - other.shared));
    }
  });
}

/// From shared to global memory, in the thread's bulk group. c: byte mask.
void runToGlobal(Warp &w, const Inst &i) {
  Cluster *cluster = w.block->cluster;
  Place to = placeOf(w, i, 0), from = placeOf(w, i, 1);
  activeLanes(w, [&](unsigned l) {
    uint64_t bytes = w.in<uint32_t>(i.b)[l];
    if (!bytes)
      return;
    Reduction reduction = reductionOf(i);
    const std::byte *source = resolveRange(
        w, i, l, from.window(), from.address(w, l), bytes, AccessKind::Load);
    std::byte *target =
        resolveRange(w, i, l, to.window(), to.address(w, l), bytes,
                     reduction ? AccessKind::Atomic : AccessKind::Store);
    countRange(*w.block, reduction ? AccessKind::Atomic : AccessKind::Store,
               target, bytes);
    uint32_t byteMask = i.c == noRef ? 0xffff : w.in<uint16_t>(i.c)[l];
    addBulkCopy(w, l, [=] {
      if (byteMask == 0xffff)
        return put(*cluster, target, source, bytes, reduction);
      for (uint64_t k = 0; k < bytes; ++k)
        if ((byteMask >> (k & 15)) & 1)
          target[k] = source[k];
    });
    w.block->counts.asyncBytes += bytes;
  });
}

void bindBulk(Builder &b) {
  bool reduces = b.form.has("reduce");
  bool toGlobal = b.form.has("bulk_group");
  bool fromShared = toGlobal || !b.form.has("global");
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), toGlobal ? Window::Global : Window::SharedCluster,
           refs);
  addPlace(b, b.operand(1), fromShared ? Window::Shared : Window::Global, refs);
  if (!toGlobal)
    addPlace(b, b.operand(3), Window::SharedCluster, refs);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.b = b.source(2, Type::U32);
  if (b.form.has("multicast::cluster"))
    b.inst.c = b.source(4, Type::U16);
  if (b.form.has("cp_mask"))
    b.inst.c = b.source(b.operandCount() - 1, Type::U16);
  b.inst.handler = toGlobal ? runToGlobal : runToShared;
  if (!reduces)
    return;
  Reduction reduction = findReduction(
      b.form.oneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"}),
      b.form.type());
  if (!reduction)
    b.error("no such reduction");
  b.inst.imm2 = reinterpret_cast<uint64_t>(reduction);
}

void runCommit(Warp &w, const Inst &) {
  activeLanes(w, [&](unsigned l) { ++copiesOf(w, l).bulkCommitted; });
}
void runWaitGroup(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    ThreadCopies &copies = copiesOf(w, l);
    uint32_t committed = copies.bulkCommitted, kept = uint32_t(i.imm);
    landBulkGroups(copies, committed > kept ? committed - kept : 0);
  });
}

void bindNothing(Builder &b) {
  b.inst.handler = [](Warp &, const Inst &) {};
}

#define KCL_TX "mbarrier::complete_tx::bytes"
#define KCL_CLUSTER "{shared::cluster,shared::cta}"
#define KCL_OPS "{and,or,xor,add,inc,dec,min,max}"

constexpr Row rows[] = {
    {"cp.async.bulk." KCL_CLUSTER ".global." KCL_TX
     ".multicast::cluster?.L2::cache_hint?",
     InstClass::AsyncCopy, bindBulk},
    {"cp.async.bulk.shared::cluster.shared::cta." KCL_TX, InstClass::AsyncCopy,
     bindBulk},
    {"cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint?.cp_mask?",
     InstClass::AsyncCopy, bindBulk},
    {"cp.async.bulk.prefetch.L2.global.L2::cache_hint?", InstClass::AsyncCopy,
     bindNothing, "a prefetch has no effect"},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta." KCL_TX "." KCL_OPS
     ".{s32,u32,s64,u64}",
     InstClass::AsyncCopy, bindBulk},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint?"
     "." KCL_OPS ".noftz?.{f16,bf16,b32,u32,s32,b64,u64,s64,f32,f64}",
     InstClass::AsyncCopy, bindBulk},
    {"cp.async.bulk.commit_group", InstClass::AsyncCopy,
     [](Builder &b) { b.inst.handler = runCommit; }},
    {"cp.async.bulk.wait_group.read?", InstClass::AsyncCopy,
     [](Builder &b) {
       b.inst.imm = b.literal(0);
       b.inst.handler = runWaitGroup;
     }},
};

} // namespace

std::span<const Row> bulkRows() { return rows; }

} // namespace kclaw::sim
