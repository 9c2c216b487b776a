//===- AbsentRegions.h - What provider=none did not find --------*- C++ -*-===//
//
// Private to lib/Synthesize. A region is absent when the store holds neither a
// winner for it nor the record of a search that ended with stock.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_ABSENTREGIONS_H
#define KERNELCLAW_LIB_SYNTHESIZE_ABSENTREGIONS_H

#include "RunSetup.h"

namespace kclaw {

/// Whether a search that is over found nothing faster than stock.
bool isSettledAsStock(Store &store, const KernelSpec &spec,
                      const AgentOptions &options);

/// "kclaw_region_2 (1f2e3d4c: aten.mm, aten.relu -> f32[16,64])"
std::string nameRegion(const KernelSpec &spec);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_ABSENTREGIONS_H
