//===- Cluster.cpp - barrier.cluster --------------------------------------===//
#include "../Exec/AsyncState.h"
#include "../Exec/Fault.h"
#include "../Exec/Splits.h"
#include "Bind.h"

namespace kclaw::sim {

namespace {

void checkAligned(Warp &w, const Inst &i) {
  uint32_t missing = w.alive & ~w.active;
  if (!(i.small & 1) || !missing || !w.block->grid->options.checks)
    return;
  fail(w, i, FaultKind::DivergentBarrier, unsigned(std::countr_zero(missing)),
       0,
       "this thread is elsewhere while others of its warp execute an aligned "
       "cluster barrier");
}

void runArrive(Warp &w, const Inst &i) {
  checkAligned(w, i);
  if (uint32_t twice = w.clusterArrived & w.active)
    fail(w, i, FaultKind::IllegalInstruction, unsigned(std::countr_zero(twice)),
         0, "arrives at the cluster barrier twice without waiting");
  w.clusterArrived |= w.active;
  Cluster &cluster = *w.block->cluster;
  cluster.barrier.arrived += uint32_t(std::popcount(w.active));
  ++w.block->counts.barriers;
  completeClusterBarrier(cluster);
}

/// A lane whose arrival is still noted waits: completion clears the notes.
void runWait(Warp &w, const Inst &i) {
  w.split().token = 0;
  if (!(w.clusterArrived & w.active))
    return;
  checkAligned(w, i);
  suspend(w, i, Split::State::AtBarrier, true);
  w.split().token = clusterBarrierToken;
}

template <Handler handler> void bindBarrier(Builder &b) {
  b.inst.handler = handler;
  b.inst.small = b.form.has("aligned");
}

constexpr Row rows[] = {
    {"barrier.cluster.arrive.{release,relaxed}?.aligned?", InstClass::Barrier,
     bindBarrier<runArrive>},
    {"barrier.cluster.wait.acquire?.aligned?", InstClass::Barrier,
     bindBarrier<runWait>},
};

} // namespace

std::span<const Row> clusterRows() { return rows; }

} // namespace kclaw::sim
