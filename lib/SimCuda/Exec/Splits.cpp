//===- Splits.cpp ---------------------------------------------------------===//
#include "Splits.h"
#include "../Check/BlockChecks.h"
#include "Block.h"
#include "Fault.h"

#include <algorithm>
#include <tuple>

namespace kclaw::sim {

using State = Split::State;

static bool samePlace(const Split &a, const Split &b) {
  return a.state == b.state && a.pc == b.pc && a.function == b.function &&
         a.token == b.token &&
         (a.waitMask == b.waitMask ||
          (a.state == State::Ready && a.token == 0)) &&
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
/// may wait at different instructions (__syncwarp on two paths); then the token
/// tells in which round they deposited.
static void releaseWarpSync(Warp &w) {
  for (Split &split : w.splits) {
    if (split.state != State::AtWarpSync)
      continue;
    const uint32_t members = split.waitMask;
    uint32_t needed = members & w.alive, here = 0;
    for (const Split &other : w.splits)
      if (other.state == State::AtWarpSync && other.waitMask == members)
        here |= other.mask;
    if (needed & ~here)
      continue;
    uint64_t token =
        needed & ~split.mask ? firstSyncToken + w.exchangeRound : 0;
    for (Split &other : w.splits)
      if (other.state == State::AtWarpSync && other.waitMask == members)
        other.state = State::Ready, other.token = token;
    w.exchangeRound += token != 0;
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

SyncGroup takeReleased(Warp &w) {
  Split &now = w.split();
  SyncGroup group{
      w.active, now.waitMask & w.alive,
      w.exchange[(now.token - firstSyncToken) % Warp::exchangeRounds]};
  now.token = 0;
  return group;
}

void noteWarpSync(Warp &w, uint32_t members) {
  if (BlockChecks *checks = w.block->checks)
    checks->order.warpSync(w.index, members, w.alive);
}

bool sameMembers(const Warp &w, const uint32_t *members) {
  uint32_t apart = 0, first = members[__builtin_ctz(w.active)];
  for (unsigned l = 0; l < lanes; ++l)
    apart |= (members[l] ^ first) & -((w.active >> l) & 1);
  return apart == 0;
}

void checkMember(Warp &w, const Inst &inst, const uint32_t *members) {
  activeLanes(w, [&](unsigned l) {
    if (w.block->grid->options.checks && !((members[l] >> l) & 1))
      fail(w, inst, FaultKind::DivergentBarrier, l, 0,
           "this lane is not in the member mask of the warp operation that it "
           "executes");
  });
}

uint32_t completeGroups(Warp &w, const Inst &inst, const uint32_t *members) {
  uint32_t complete = 0, waiting = w.active;
  activeLanes(w, [&](unsigned l) {
    uint32_t needed = members[l] & w.alive;
    uint32_t same = w.active & laneMask([&](unsigned m) {
                      return members[m] == members[l];
                    });
    if ((same & needed) == needed)
      complete |= 1u << l;
  });
  waiting &= ~complete;
  uint32_t next = w.nextPc;
  auto here = uint32_t(&inst - w.split().function->code.data());
  for (uint32_t rest = waiting; rest;) {
    uint32_t mask = members[__builtin_ctz(rest)];
    uint32_t group =
        rest & laneMask([&](unsigned m) { return members[m] == mask; });
    rest &= ~group;
    Split other = w.split();
    other.mask = group;
    other.pc = here;
    other.state = State::AtWarpSync;
    other.waitMask = mask;
    w.split().mask &= ~group;
    w.splits.push_back(std::move(other));
  }
  w.active = complete;
  w.stop = true;
  if (w.split().mask) { // those that run now, and those whose guard was false
    w.split().pc = next;
    return complete;
  }
  w.splits.erase(w.splits.begin() + w.running);
  w.running = 0;
  return 0;
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
