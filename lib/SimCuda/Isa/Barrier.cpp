//===- Barrier.cpp - bar, barrier, fences ---------------------------------===//
//
// Threads arrive one by one (sm_70 and newer). A barrier without a count waits
// for all threads of the block that have not exited.
//
//===----------------------------------------------------------------------===//
#include "../Check/BlockChecks.h"
#include "../Exec/Block.h"
#include "../Exec/Fault.h"
#include "../Exec/Run.h"
#include "../Exec/Splits.h"
#include "Bind.h"

namespace kclaw::sim {

namespace {

enum Reduction : uint8_t { NoReduction, And, Or, Popc };

struct BarrierUse {
  unsigned id = 0;
  uint32_t count = 0; ///< threads; 0: all
};

BarrierUse use(Warp &w, const Inst &i) {
  auto first = unsigned(std::countr_zero(w.active));
  BarrierUse result;
  result.id = w.in<uint32_t>(i.a)[first];
  if (i.b != noRef)
    result.count = w.in<uint32_t>(i.b)[first];
  if (result.id > 15)
    fail(w, i, FaultKind::IllegalInstruction, first, 0,
         "barrier " + std::to_string(result.id) + "; there are 0 to 15");
  if (result.count % lanes)
    fail(w, i, FaultKind::IllegalInstruction, first, 0,
         "a barrier for " + std::to_string(result.count) +
             " threads; a multiple of 32 is needed");
  return result;
}

/// bar.sync is barrier.sync.aligned: all threads of the warp must execute it
/// together. Lanes that are elsewhere get the time to come or to exit: false
/// when the active ones wait for them. A fault when they wait elsewhere.
bool aligned(Warp &w, const Inst &i) {
  if (!(i.small & 1) || !w.block->grid->options.checks)
    return true;
  uint32_t missing = w.alive & ~w.active;
  bool apart = w.split().token >= firstSyncToken;
  w.split().token = 0;
  if (!missing)
    return true;
  for (const Split &other : w.splits)
    apart |= other.state == Split::State::AtBarrier;
  if (apart)
    fail(w, i, FaultKind::DivergentBarrier, unsigned(std::countr_zero(missing)),
         0,
         "this thread is elsewhere while others of its warp execute an "
         "aligned barrier");
  suspend(w, i, Split::State::AtWarpSync, true);
  w.split().waitMask = allLanes;
  return false;
}

void arrive(Warp &w, const BarrierUse &at) {
  Barrier &barrier = w.block->barriers[at.id];
  barrier.expected = at.count;
  barrier.arrived += uint32_t(std::popcount(w.active));
  ++w.block->counts.barriers;
  if (BlockChecks *checks = w.block->checks)
    checks->order.arrive(w.index, checks->barriers[at.id]);
}

void runSync(Warp &w, const Inst &i) {
  if (uint64_t token = w.split().token;
      token && token < firstSyncToken) { // released
    w.split().token = 0;
    if (i.e == noRef)
      return;
    const Barrier &barrier = w.block->barriers[use(w, i).id];
    if (i.imm == Popc)
      eachLane(w, w.out<uint32_t>(i.e),
               [&](unsigned) { return barrier.votes; });
    else
      w.setPredicate(i.e, i.imm == And ? barrier.voteAnd : barrier.voteOr);
    return;
  }
  if (!aligned(w, i))
    return;
  BarrierUse at = use(w, i);
  Barrier &barrier = w.block->barriers[at.id];
  if (barrier.arrived == 0 && i.e != noRef)
    barrier.pendingVotes = 0, barrier.pendingAll = true,
    barrier.pendingAny = false;
  if (i.e != noRef) {
    uint32_t votes = w.predicate(i.c);
    votes = (i.small & 2 ? ~votes : votes) & w.active;
    barrier.pendingVotes += uint32_t(std::popcount(votes));
    barrier.pendingAll &= votes == w.active;
    barrier.pendingAny |= votes != 0;
  }
  arrive(w, at);
  suspend(w, i, Split::State::AtBarrier, true);
  w.split().token = at.id + 1;
  completeBarrier(*w.block, at.id);
}

void runArrive(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  BarrierUse at = use(w, i);
  arrive(w, at);
  if (w.block->checks)
    w.block->checks->onlyArrived[at.id] = true;
  completeBarrier(*w.block, at.id);
}

void bindBarrier(Builder &b, Handler handler, bool aligned) {
  b.inst.handler = handler;
  b.inst.small = aligned;
  b.inst.a = b.source(0, Type::U32);
  if (b.operandCount() > 1)
    b.inst.b = b.source(1, Type::U32);
}

void bindSync(Builder &b) {
  bindBarrier(b, runSync, b.ast->opcode == "bar" || b.form.has("aligned"));
}
void bindArrive(Builder &b) {
  bindBarrier(b, runArrive, b.ast->opcode == "bar" || b.form.has("aligned"));
}

/// bar.red.op.type d, a{, b}, {!}c
void bindReduce(Builder &b) {
  b.inst.handler = runSync;
  b.inst.small = b.ast->opcode == "bar" || b.form.has("aligned");
  b.inst.imm = b.form.has("popc") ? Popc : b.form.has("and") ? And : Or;
  b.inst.e = b.form.has("popc") ? b.destination(0, Type::U32)
                                : b.predicateDestination(b.operand(0));
  b.inst.a = b.source(1, Type::U32);
  if (b.operandCount() == 4)
    b.inst.b = b.source(2, Type::U32);
  PredicateRef vote = b.predicateSource(b.operandCount() - 1);
  b.inst.c = vote.ref;
  b.inst.small |= uint8_t(vote.negated << 1);
}

void runWarpSync(Warp &w, const Inst &i) {
  synchronise(
      w, i, w.in<uint32_t>(i.a), [](unsigned) { return uint64_t(0); },
      [](const SyncGroup &) {});
}

void bindWarpSync(Builder &b) {
  b.inst.handler = runWarpSync;
  b.inst.a = b.source(0, Type::B32);
}

// Blocks of one host thread see each other's writes in order, and x86 orders
// those of two; a full fence covers the rest.
void runFence(Warp &w, const Inst &) {
  if (w.block->checks)
    w.block->checks->fence(*w.block);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
void bindFence(Builder &b) { b.inst.handler = runFence; }

constexpr Row rows[] = {
    {"bar.cta?.sync", InstClass::Barrier, bindSync},
    {"bar.cta?.arrive", InstClass::Barrier, bindArrive},
    {"bar.cta?.red.popc.u32", InstClass::Barrier, bindReduce},
    {"bar.cta?.red.{and,or}.pred", InstClass::Barrier, bindReduce},
    {"barrier.cta?.sync.aligned?", InstClass::Barrier, bindSync},
    {"barrier.cta?.arrive.aligned?", InstClass::Barrier, bindArrive},
    {"barrier.cta?.red.popc.aligned?.u32", InstClass::Barrier, bindReduce},
    {"barrier.cta?.red.{and,or}.aligned?.pred", InstClass::Barrier, bindReduce},
    {"bar.warp.sync", InstClass::Barrier, bindWarpSync},
    {"membar.{cta,gl,sys}", InstClass::Barrier, bindFence},
    {"fence.{sc,acq_rel,acquire,release}?.{cta,cluster,gpu,sys}",
     InstClass::Barrier, bindFence},
    // As libcu++ of CUDA 12 writes it; ptxas takes either order.
    {"fence.{cta,cluster,gpu,sys}.{sc,acq_rel,acquire,release}",
     InstClass::Barrier, bindFence},
    {"fence.proxy.{alias,async}.{global,shared::cta,shared::cluster}?",
     InstClass::Barrier, bindFence},
};

} // namespace

void completeBarrier(Block &block, unsigned id) {
  Barrier &barrier = block.barriers[id];
  uint32_t needed = barrier.expected ? barrier.expected : block.aliveThreads;
  if (!barrier.arrived || barrier.arrived < needed)
    return;
  BlockChecks *checks = block.checks;
  bool all = barrier.arrived >= block.aliveThreads;
  if (checks && all && !checks->onlyArrived[id]) {
    checks->order.meet();
    checks->barriers[id] = {};
    checks = nullptr;
  }
  barrier.arrived = 0;
  barrier.expected = 0;
  ++barrier.generation;
  barrier.votes = barrier.pendingVotes;
  barrier.voteAnd = barrier.pendingAll ? allLanes : 0;
  barrier.voteOr = barrier.pendingAny ? allLanes : 0;
  ++block.barrierEpoch;
  for (Warp &w : block.warps)
    for (Split &split : w.splits)
      if (split.state == Split::State::AtBarrier && split.token == id + 1) {
        split.state = Split::State::Ready;
        if (checks)
          checks->order.leave(w.index, checks->barriers[id], split.mask,
                              w.alive);
      }
  if (checks) {
    checks->barriers[id] = {};
    checks->onlyArrived[id] = false;
  }
}

std::span<const Row> barrierRows() { return rows; }

} // namespace kclaw::sim
