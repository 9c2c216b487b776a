//===- Cluster.cpp - barrier.cluster --------------------------------------===//
#include "../Exec/AsyncState.h"
#include "../Exec/Fault.h"
#include "../Exec/Splits.h"
#include "Matrix.h"

namespace kclaw::sim {

namespace {

/// .aligned: lanes that are still on their way are waited for.
bool together(Warp &w, const Inst &i) {
  return !(i.small & 1) || aligned(w, i);
}

void runArrive(Warp &w, const Inst &i) {
  if (!together(w, i))
    return;
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
  if (w.split().token == clusterBarrierToken)
    w.split().token = 0;
  if (!(w.clusterArrived & w.active) || !together(w, i))
    return;
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
