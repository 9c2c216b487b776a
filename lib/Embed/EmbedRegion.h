//===- EmbedRegion.h - One region function's plans --------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_EMBED_EMBEDREGION_H
#define KERNELCLAW_LIB_EMBED_EMBEDREGION_H

#include "kernelclaw/Embed/Embed.h"

namespace kclaw {

/// Replaces the region function `name` by one on memrefs (arguments, then
/// results) that holds the plans' steps, and adds their gpu.binary ops.
mlir::LogicalResult embedRegion(mlir::ModuleOp module, const std::string &name,
                                const RegionPlans &plans);

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_EMBEDREGION_H
