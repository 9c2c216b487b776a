//===- Bulk.h - What bulk and tensor copies share ---------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_BULK_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_BULK_H

#include "../Exec/AsyncState.h"
#include "Places.h"

namespace kclaw::sim {

/// Puts a copy in the lane's open bulk group.
void addBulkCopy(Warp &w, unsigned lane, Landing land);

/// The initialised mbarrier that a copy signals. Throws FaultError.
std::byte *mbarrierFor(Warp &w, const Inst &i, unsigned lane, Place place);

/// Copies and stores from shared memory into a cluster's are illegal in a
/// launch without one, whichever block they name, as on an H200. Throws
/// FaultError.
void needCluster(Warp &w, const Inst &i);

/// A block of the cluster by rank. Throws FaultError.
Block &blockOf(Warp &w, const Inst &i, unsigned lane, unsigned rank);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_BULK_H
