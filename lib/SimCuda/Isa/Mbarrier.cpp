//===- Mbarrier.cpp - mbarrier.*, fences for them -------------------------===//
#include "../Exec/AsyncState.h"
#include "../Exec/Fault.h"
#include "../Exec/Splits.h"
#include "Places.h"

#include <atomic>
#include <cstring>

namespace kclaw::sim {

namespace {

enum Action : uint8_t {
  Arrives = 1,
  Drops = 2,     ///< arrive_drop
  Expects = 4,   ///< expect_tx of operand b
  Completes = 8, ///< complete_tx of operand b
  NoComplete = 16,
};

std::byte *barrierAt(Warp &w, const Inst &i, unsigned l, Mbarrier &value) {
  Place place = placeOf(w, i);
  uint64_t address = place.address(w, l);
  std::byte *at =
      resolveOne(w, i, l, place.window(), address, 8, AccessKind::Atomic);
  value = loadMbarrier(at);
  if (!value.live || !ownerOf(*w.block->cluster, at))
    fail(w, i, FaultKind::IllegalInstruction, l, address,
         "no initialised mbarrier in shared memory is here");
  return at;
}

uint32_t countOf(Warp &w, const Inst &i, unsigned l, Ref ref, uint32_t most) {
  uint32_t count = w.in<uint32_t>(ref)[l];
  if (count > most)
    fail(w, i, FaultKind::IllegalInstruction, l, 0,
         "a count of " + std::to_string(count) +
             " at a mbarrier; at most 1048575");
  return count;
}

void runInit(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    Place place = placeOf(w, i);
    std::byte *at = resolveOne(w, i, l, place.window(), place.address(w, l), 8,
                               AccessKind::Store);
    Mbarrier value;
    value.live = true;
    value.pending = value.expected = countOf(w, i, l, i.c, Mbarrier::maxCount);
    if (!value.pending)
      fail(w, i, FaultKind::IllegalInstruction, l, place.address(w, l),
           "a mbarrier for 0 arrivals");
    uint64_t word = value.pack();
    std::memcpy(at, &word, sizeof word);
  });
}

void runInvalidate(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    Mbarrier value;
    std::byte *at = barrierAt(w, i, l, value);
    std::memset(at, 0, 8);
  });
}

/// imm: Actions; b: bytes, c: arrivals (noRef: 1), d: the state before.
void runUpdate(Warp &w, const Inst &i) {
  Cluster &cluster = *w.block->cluster;
  activeLanes(w, [&](unsigned l) {
    Mbarrier value;
    std::byte *at = barrierAt(w, i, l, value);
    if (i.d != noRef)
      w.out<uint64_t>(i.d)[l] = value.pack();
    if (i.imm & Expects)
      value.transactions += int32_t(countOf(w, i, l, i.b, Mbarrier::maxCount));
    if (i.imm & Completes)
      value.transactions -= int32_t(countOf(w, i, l, i.b, Mbarrier::maxCount));
    if (i.imm & Arrives) {
      uint32_t count =
          i.c == noRef ? 1 : countOf(w, i, l, i.c, Mbarrier::maxCount);
      if (count > value.pending)
        fail(w, i, FaultKind::IllegalInstruction, l,
             reinterpret_cast<uintptr_t>(at),
             std::to_string(count) + " arrivals at a mbarrier that waits for " +
                 std::to_string(value.pending) + " in this phase");
      value.pending -= count;
      if (i.imm & Drops)
        value.expected -= std::min(count, value.expected);
      noteRelease(w, at);
    }
    storeMbarrier(cluster, at, value);
  });
  ++w.block->counts.barriers;
}

/// d: the predicate; b: the state or the parity. small bit 1: parity; bit 2:
/// suspends the thread until the phase completes.
void runWait(Warp &w, const Inst &i) {
  Cluster &cluster = *w.block->cluster;
  w.split().token = 0;
  uint32_t done = 0;
  std::byte *last = nullptr;
  activeLanes(w, [&](unsigned l) {
    Mbarrier value;
    std::byte *at = barrierAt(w, i, l, value);
    if (at != last)
      landTransactions(cluster, at);
    last = at;
    value = loadMbarrier(at);
    bool phase = i.small & 2 ? w.in<uint32_t>(i.b)[l] & 1
                             : Mbarrier::unpack(w.in<uint64_t>(i.b)[l]).phase;
    if (phase != value.phase)
      done |= 1u << l;
  });
  if (!done && (i.small & 4)) {
    ++cluster.failedPolls;
    suspend(w, i, Split::State::AtWait, true);
    w.split().token = reinterpret_cast<uint64_t>(last);
    return;
  }
  if (done)
    activeLanes(w, [&](unsigned l) {
      Mbarrier value;
      if ((done >> l) & 1)
        noteAcquire(w, barrierAt(w, i, l, value), 1u << l);
    });
  w.setPredicate(i.d, done);
}

void runPendingCount(Warp &w, const Inst &i) {
  const uint64_t *state = w.in<uint64_t>(i.a);
  eachLane(w, w.out<uint32_t>(i.d),
           [&](unsigned l) { return Mbarrier::unpack(state[l]).pending; });
}

void place(Builder &b, size_t index) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(index), windowFrom(b, b.operand(index)), refs);
  b.inst.firstRef = b.addRefs(refs);
}

void bindInit(Builder &b) {
  place(b, 0);
  b.inst.c = b.source(1, Type::U32);
  b.inst.handler = runInit;
}
void bindInvalidate(Builder &b) {
  place(b, 0);
  b.inst.handler = runInvalidate;
}
void bindTransaction(Builder &b) {
  place(b, 0);
  b.inst.b = b.source(1, Type::U32);
  b.inst.imm = b.ast->modifiers[0] == "expect_tx" ? Expects : Completes;
  b.inst.handler = runUpdate;
}
void bindArrive(Builder &b) {
  bool expects = b.form.has("expect_tx");
  b.inst.imm = Arrives | (expects ? Expects : 0) |
               (b.form.has("arrive_drop") ? Drops : 0);
  size_t at = b.operand(0).kind != ptx::Operand::Kind::Address;
  if (at && !b.isSink(0))
    b.inst.d = b.destination(0, Type::B64);
  place(b, at);
  if (b.operandCount() > at + 1)
    (expects ? b.inst.b : b.inst.c) = b.source(at + 1, Type::U32);
  b.inst.handler = runUpdate;
}
void bindWait(Builder &b) {
  bool parity = b.form.has("parity");
  b.inst.small = uint8_t((parity ? 2 : 0) | (b.form.has("try_wait") ? 4 : 0));
  b.inst.d = b.predicateDestination(b.operand(0));
  place(b, 1);
  b.inst.b = b.source(2, parity ? Type::U32 : Type::B64);
  b.inst.handler = runWait;
}
void bindPendingCount(Builder &b) {
  b.inst.d = b.destination(0, Type::B32);
  b.inst.a = b.source(1, Type::B64);
  b.inst.handler = runPendingCount;
}

void bindFence(Builder &b) {
  b.inst.handler = [](Warp &, const Inst &) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  };
}

#define KCL_SHARED "{shared,shared::cta,shared::cluster}?"
#define KCL_ARRIVE_ORDER "{release,relaxed}?.{cta,cluster}?"
#define KCL_WAIT_ORDER "{acquire,relaxed}?.{cta,cluster}?"

constexpr Row rows[] = {
    {"mbarrier.init." KCL_SHARED ".b64", InstClass::Barrier, bindInit},
    {"mbarrier.inval." KCL_SHARED ".b64", InstClass::Barrier, bindInvalidate},
    {"mbarrier.expect_tx.relaxed?.{cta,cluster}?." KCL_SHARED ".b64",
     InstClass::Barrier, bindTransaction},
    {"mbarrier.complete_tx.relaxed?.{cta,cluster}?." KCL_SHARED ".b64",
     InstClass::Barrier, bindTransaction},
    {"mbarrier.{arrive,arrive_drop}.expect_tx?." KCL_ARRIVE_ORDER "." KCL_SHARED
     ".b64",
     InstClass::Barrier, bindArrive},
    {"mbarrier.{arrive,arrive_drop}.noComplete.release?.cta?." KCL_SHARED
     ".b64",
     InstClass::Barrier, bindArrive},
    {"mbarrier.test_wait.parity?." KCL_WAIT_ORDER "." KCL_SHARED ".b64",
     InstClass::Barrier, bindWait},
    {"mbarrier.try_wait.parity?." KCL_WAIT_ORDER "." KCL_SHARED ".b64",
     InstClass::Barrier, bindWait,
     "suspends until the phase completes; the time hint is ignored"},
    {"mbarrier.pending_count.b64", InstClass::Barrier, bindPendingCount},
    {"fence.mbarrier_init.release.cluster", InstClass::Barrier, bindFence},
    {"fence.proxy.tensormap::generic.{acquire,release}.{cta,cluster,gpu,sys}",
     InstClass::Barrier, bindFence},
    {"fence.proxy.async::generic.{acquire,release}.{sync_restrict::shared::"
     "cluster,sync_restrict::shared::cta}.cluster",
     InstClass::Barrier, bindFence},
    {"fence.{acquire,release}.{sync_restrict::shared::cluster,sync_restrict::"
     "shared::cta}.cluster",
     InstClass::Barrier, bindFence},
};

} // namespace

std::span<const Row> mbarrierRows() { return rows; }

} // namespace kclaw::sim
