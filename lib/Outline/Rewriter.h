//===- Rewriter.h - Calls in place of groups --------------------*- C++ -*-===//
//
// Private to the library.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_REWRITER_H
#define KERNELCLAW_LIB_OUTLINE_REWRITER_H

#include "Partition.h"
#include "RegionBuilder.h"

namespace kclaw::outline {

/// Replaces the groups of `function` by calls of region functions.
void rewriteFunction(mlir::func::FuncOp function, const Body &body,
                     const Partition &partition, RegionBuilder &regions);

} // namespace kclaw::outline

#endif // KERNELCLAW_LIB_OUTLINE_REWRITER_H
