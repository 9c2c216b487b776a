//===- Run.cpp - The interpreter and the scheduler of a cluster -----------===//
#include "Run.h"
#include "Block.h"
#include "Fault.h"
#include "Splits.h"

#include <utility>

namespace kclaw::sim {

/// Warp instructions that a warp may run before others get their turn.
constexpr uint64_t slice = 4096;
/// Instructions of one split while another of the same warp is ready.
constexpr uint32_t splitPatience = 2048;

namespace {

/// At the start of a block: should another ready split run first (or merge)?
bool shouldYield(Warp &w, const Split &now, uint32_t pc) {
  if (w.patience == 0)
    return true;
  for (const Split &other : w.splits)
    if (&other != &now && other.state == Split::State::Ready &&
        (other.callers.size() > now.callers.size() ||
         (other.callers.size() == now.callers.size() &&
          (other.function != now.function ||
           other.function->rank[other.pc] <= now.function->rank[pc]))))
      return true;
  return false;
}

} // namespace

bool runWarp(Warp &w) {
  Block &block = *w.block;
  Counts &counts = block.counts;
  const uint32_t frameBytes = block.grid->program->layout().bytes;
  const uint64_t end = w.instructions + slice;
  bool ran = false;
  while (w.instructions < end && pickSplit(w)) {
    ran = true;
    Split &now = w.splits[w.running];
    const Inst *code = now.function->code.data();
    uint32_t pc = now.pc;
    const uint32_t mask = now.mask;
    const bool alone = w.splits.size() == 1;
    w.frame = w.registers + size_t(now.callers.size()) * frameBytes;
    w.stop = false;
    if (w.patience == 0)
      w.patience = splitPatience;
    bool first = true;
    while (!w.stop) {
      const Inst &inst = code[pc];
      if (inst.startsBlock && !first &&
          (w.instructions >= end || (!alone && shouldYield(w, now, pc)))) {
        now.pc = pc;
        break;
      }
      first = false;
      w.nextPc = pc + 1;
      ++w.instructions;
      w.pathLoads += inst.path.loads;
      w.pathCycles += inst.path.cycles;
      uint32_t active = mask;
      if (inst.guard != noRef) {
        uint32_t guard = w.predicate(inst.guard);
        active &= inst.guardNegated ? ~guard : guard;
      }
      ++counts.warpInstructions[size_t(inst.kind)];
      counts.threadInstructions[size_t(inst.kind)] +=
          uint32_t(__builtin_popcount(active));
      if (active) {
        w.active = active;
        inst.handler(w, inst);
      }
      if (!alone && w.patience)
        --w.patience;
      pc = w.nextPc;
    }
  }
  return ran;
}

namespace {

template <class F> void eachWarp(std::vector<Cluster> &clusters, F &&f) {
  for (Cluster &cluster : clusters)
    for (Block &block : cluster.blocks)
      for (Warp &w : block.warps)
        if (!w.splits.empty())
          f(w);
}

/// Names the first waiting thread.
[[noreturn]] void reportDeadlock(std::vector<Cluster> &clusters) {
  eachWarp(clusters, [](Warp &w) {
    Split &split = w.splits.front();
    bool atBarrier = split.state == Split::State::AtBarrier;
    uint32_t pc = split.pc - (atBarrier && split.pc && !split.token);
    fail(w, split.function->code[pc], FaultKind::Deadlock,
         unsigned(__builtin_ctz(split.mask)), 0,
         atBarrier ? "waits at a barrier that other threads never reach"
                   : "waits for lanes or data that never come");
  });
  throw std::logic_error("deadlock without a waiting thread");
}

void chargeBudget(Warp &w, uint64_t before) {
  Grid &grid = *w.block->grid;
  uint64_t used = grid.instructions.fetch_add(w.instructions - before,
                                              std::memory_order_relaxed);
  if (!grid.options.budget || used < grid.options.budget || w.splits.empty())
    return;
  const Split &split = w.splits[w.running < w.splits.size() ? w.running : 0];
  fail(w, split.function->code[split.pc], FaultKind::EndlessLoop,
       unsigned(__builtin_ctz(split.mask)), 0,
       "the launch used up its budget of " +
           std::to_string(grid.options.budget) +
           " warp instructions (KERNELCLAW_SIM_BUDGET)");
}

/// Lets those who poll look once more. False: nobody polls.
bool releasePolling(std::vector<Cluster> &clusters) {
  bool any = false;
  eachWarp(clusters, [&](Warp &w) {
    for (Split &split : w.splits)
      if (split.state == Split::State::AtWait) {
        split.state = Split::State::Ready;
        any = true;
      }
  });
  return any;
}

} // namespace

void runClusters(std::vector<Cluster> &clusters) {
  Grid &grid = *clusters.front().blocks.front().grid;
  unsigned roundsSincePolling = 0;
  bool polling = false; ///< the last round only looked once more, in vain
  for (;;) {
    bool alive = false;
    uint64_t ran = 0, polls = 0;
    eachWarp(clusters, [&](Warp &w) {
      alive = true;
      uint64_t before = w.instructions;
      runWarp(w);
      ran += w.instructions - before;
      chargeBudget(w, before);
    });
    if (!alive || grid.failed.load(std::memory_order_relaxed))
      return;
    for (Cluster &cluster : clusters)
      polls += std::exchange(cluster.failedPolls, 0);
    // Others may spin until those who poll have moved.
    bool progress = ran > polls;
    if (progress && ++roundsSincePolling < 16) {
      polling = false;
      continue;
    }
    roundsSincePolling = 0;
    if ((polling && !progress) || (!releasePolling(clusters) && !progress))
      reportDeadlock(clusters);
    polling = !progress;
  }
}

} // namespace kclaw::sim
