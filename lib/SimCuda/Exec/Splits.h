//===- Splits.h - Diverging, waiting and meeting again ----------*- C++ -*-===//
//
// What control, barrier and warp-level handlers call. A handler that changes
// the splits leaves the program counters of all of them right and sets
// Warp::stop; the interpreter then picks again.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_SPLITS_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_SPLITS_H

#include "Warp.h"

namespace kclaw::sim {

/// Merges what can be merged and makes the ready split to run next the running
/// one. False: none is ready.
bool pickSplit(Warp &w);

/// Makes the active lanes the whole running split: lanes whose guard is false
/// become a split of their own at the next instruction. Invalidates references
/// to splits.
void isolateActive(Warp &w);

/// The active lanes jump to `target`, the others go on.
void branch(Warp &w, uint32_t target);

/// The active lanes wait in `state`; they execute `inst` again when released
/// (`again`), or go on behind it. Sets stop.
void suspend(Warp &w, const Inst &inst, Split::State state, bool again);

/// Split::token of splits that a warp synchronisation released at different
/// instructions; smaller ones belong to bar.sync.
constexpr uint64_t firstSyncToken = 32;

/// Lanes that execute a *.sync instruction together now.
struct SyncGroup {
  uint32_t active = 0;  ///< lanes of the running split; 0: nobody yet, return
  uint32_t present = 0; ///< all members that take part
  /// What the members deposited; null: all are active, read their registers.
  const uint64_t *deposits = nullptr;
};

/// For *.sync instructions with a member mask: waits until every member that
/// has not exited executes one. Lanes that name different members form groups
/// of their own: groups that are complete run (`run(SyncGroup)`, one call a
/// group), others wait and execute `inst` again. `deposit(lane)` is what a
/// waiting lane gives to the others.
template <class Deposit, class Run>
void synchronise(Warp &w, const Inst &inst, const uint32_t *members,
                 Deposit &&deposit, Run &&run);

/// The parts of synchronise() that are not templates.
SyncGroup takeReleased(Warp &w);
bool sameMembers(const Warp &w, const uint32_t *members);
void checkMember(Warp &w, const Inst &inst, const uint32_t *members);
/// For the race check: these lanes of the warp are ordered from here on.
void noteWarpSync(Warp &w, uint32_t members);
/// The active lanes that may run now; makes the others wait in a split of
/// their own, or all of them (0).
uint32_t completeGroups(Warp &w, const Inst &inst, const uint32_t *members);

/// The active lanes have ended.
void exitLanes(Warp &w);

template <class Deposit, class Run>
void synchronise(Warp &w, const Inst &inst, const uint32_t *members,
                 Deposit &&deposit, Run &&run) {
  if (w.split().token) { // all members waited, at different instructions
    SyncGroup group = takeReleased(w);
    noteWarpSync(w, group.present);
    run(group);
    return;
  }
  uint32_t first = members[__builtin_ctz(w.active)];
  uint32_t needed = first & w.alive;
  if ((w.active & needed) == needed && sameMembers(w, members)) {
    if (w.active & ~first)
      checkMember(w, inst, members);
    noteWarpSync(w, needed);
    run(SyncGroup{w.active, w.active & first, nullptr});
    return;
  }
  checkMember(w, inst, members);
  activeLanes(w, [&](unsigned l) {
    w.exchange[w.exchangeRound % Warp::exchangeRounds][l] = deposit(l);
  });
  uint32_t now = completeGroups(w, inst, members);
  while (now) {
    uint32_t mask = members[__builtin_ctz(now)];
    uint32_t group =
        now & laneMask([&](unsigned l) { return members[l] == mask; });
    w.active = group;
    noteWarpSync(w, mask & w.alive);
    run(SyncGroup{group, mask & w.alive, nullptr});
    now &= ~group;
  }
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_SPLITS_H
