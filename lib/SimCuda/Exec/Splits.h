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

/// For *.sync instructions with a member mask: true when every member that has
/// not exited is active here, which is when the instruction may execute. Else
/// the active lanes wait for the others and the handler must return.
bool converged(Warp &w, const Inst &inst, uint32_t members);

/// The active lanes have ended.
void exitLanes(Warp &w);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_SPLITS_H
