//===- ReducedProblems.h - Regions at sizes for a simulator -----*- C++ -*-===//
//
// Private to lib/Synthesize.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_REDUCEDPROBLEMS_H
#define KERNELCLAW_LIB_SYNTHESIZE_REDUCEDPROBLEMS_H

#include "RegionTasks.h"

namespace kclaw {

/// Fills `reduced` of the tasks whose regions have static sizes that are too
/// large for a simulator. A variant that cannot be lowered is left out.
void addReducedProblems(RegionTasks &regions, const RegionTaskOptions &opts);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_REDUCEDPROBLEMS_H
