//===- EmbedRegion.h - One region function's plans --------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_EMBED_EMBEDREGION_H
#define KERNELCLAW_LIB_EMBED_EMBEDREGION_H

#include "RegionNames.h"

#include "kernelclaw/Embed/Embed.h"

namespace kclaw {

/// Replaces the region function by one on memrefs (arguments, then results)
/// that holds the plans' steps, and adds their gpu.binary ops. `names` were
/// read from its Torch body.
mlir::LogicalResult embedRegion(mlir::func::FuncOp region,
                                const RegionPlans &plans,
                                const RegionNames &names);

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_EMBEDREGION_H
