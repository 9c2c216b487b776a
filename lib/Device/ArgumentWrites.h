//===- ArgumentWrites.h - Kernels that store into arguments -----*- C++ -*-===//
//
// A kernel that changes an argument and puts back what was there leaves no
// trace for a check after it, yet another stream may read in between.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_ARGUMENTWRITES_H
#define KERNELCLAW_LIB_DEVICE_ARGUMENTWRITES_H

#include "RunFailure.h"
#include "kernelclaw/Plan/Plan.h"

namespace kclaw {

/// Mismatch/"input-written" when a kernel stores through a parameter to which a
/// step binds an argument of the region (PtxGlobals.h). Images without PTX
/// pass.
Run<void> checkArgumentWrites(const Plan &plan,
                              const std::vector<ModuleImage> &images);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_ARGUMENTWRITES_H
