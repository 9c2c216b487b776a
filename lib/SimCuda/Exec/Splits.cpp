//===- Splits.cpp ---------------------------------------------------------===//
#include "Splits.h"
#include "Block.h"

#include <algorithm>
#include <tuple>

namespace kclaw::sim {

using State = Split::State;

static bool samePlace(const Split &a, const Split &b) {
  return a.state == b.state && a.pc == b.pc && a.function == b.function &&
         a.waitMask == b.waitMask && a.token == b.token &&
         a.callers == b.callers;
}

static void mergeSplits(Warp &w) {
  for (size_t i = 0; i < w.splits.size(); ++i)
    for (size_t j = i + 1; j < w.splits.size();) {
      Split &a = w.splits[i], &b = w.splits[j];
      if (a.state != State::AtBarrier && samePlace(a, b)) {
        a.mask |= b.mask;
        w.splits.erase(w.splits.begin() + ptrdiff_t(j));
      } else {
        ++j;
      }
    }
}

/// Releases splits at warp synchronisations whose members are all waiting. They
/// may wait at different instructions (__syncwarp on two paths).
static void releaseWarpSync(Warp &w) {
  for (Split &split : w.splits) {
    if (split.state != State::AtWarpSync)
      continue;
    uint32_t needed = split.waitMask & w.alive, here = 0;
    for (const Split &other : w.splits)
      if (other.state == State::AtWarpSync && other.waitMask == split.waitMask)
        here |= other.mask;
    if (needed & ~here)
      continue;
    uint64_t apart = (needed & ~split.mask) != 0;
    for (Split &other : w.splits)
      if (other.state == State::AtWarpSync &&
          other.waitMask == split.waitMask && &other != &split)
        other.state = State::Ready, other.token = apart;
    split.state = State::Ready, split.token = apart;
  }
}

/// Deepest call first, then lowest rank.
static auto order(const Split &split) {
  return std::tuple(-int64_t(split.callers.size()),
                    split.function->rank[split.pc], split.pc);
}

bool pickSplit(Warp &w) {
  if (w.splits.size() > 1) {
    mergeSplits(w);
    releaseWarpSync(w);
  } else if (w.splits.size() == 1 && w.splits[0].state == State::AtWarpSync) {
    releaseWarpSync(w);
  }
  int best = -1;
  for (size_t i = 0; i < w.splits.size(); ++i)
    if (w.splits[i].state == State::Ready &&
        (best < 0 || order(w.splits[i]) < order(w.splits[size_t(best)])))
      best = int(i);
  if (best < 0)
    return false;
  // A split that others wait for without a barrier (a lock) must get its turn.
  if (w.patience == 0 && w.splits.size() > 1) {
    for (size_t step = 1; step <= w.splits.size(); ++step) {
      size_t i = (w.running + step) % w.splits.size();
      if (w.splits[i].state == State::Ready) {
        best = int(i);
        break;
      }
    }
  }
  w.running = uint32_t(best);
  return true;
}

void isolateActive(Warp &w) {
  Split &now = w.split();
  uint32_t rest = now.mask & ~w.active;
  if (!rest)
    return;
  Split other = now;
  other.mask = rest;
  other.pc = w.nextPc;
  now.mask = w.active;
  w.splits.push_back(std::move(other));
}

void branch(Warp &w, uint32_t target) {
  Split &now = w.split();
  ++w.block->counts.branches;
  if (w.active == now.mask) {
    w.nextPc = target;
    return;
  }
  ++w.block->counts.divergentBranches;
  isolateActive(w);
  w.split().pc = target;
  w.stop = true;
}

void suspend(Warp &w, const Inst &inst, State state, bool again) {
  isolateActive(w);
  Split &now = w.split();
  now.state = state;
  now.pc = again ? uint32_t(&inst - now.function->code.data()) : w.nextPc;
  w.stop = true;
}

bool converged(Warp &w, const Inst &inst, uint32_t members) {
  if (w.split().token) { // all members wait, at different instructions
    w.split().token = 0;
    return true;
  }
  uint32_t needed = members & w.alive;
  if ((w.active & needed) == needed)
    return true;
  suspend(w, inst, State::AtWarpSync, true);
  w.split().waitMask = needed;
  return false;
}

void exitLanes(Warp &w) {
  isolateActive(w);
  uint32_t gone = w.split().mask;
  w.alive &= ~gone;
  w.block->aliveThreads -= uint32_t(__builtin_popcount(gone));
  w.splits.erase(w.splits.begin() + w.running);
  w.running = 0;
  w.stop = true;
}

} // namespace kclaw::sim
