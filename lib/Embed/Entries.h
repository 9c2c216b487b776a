//===- Entries.h - Public functions to form M -------------------*- C++ -*-===//
//
// The second half of embedPlans.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EMBED_ENTRIES_H
#define KERNELCLAW_LIB_EMBED_ENTRIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

/// Rewrites `entry`, which calls region functions that take memrefs already:
/// each result of a call is written into a temporary or straight into a result
/// argument. Ops that are left over are diagnosed by name.
mlir::LogicalResult rewriteEntry(mlir::func::FuncOp entry);

/// Whether the rewrite leaves the op out: nobody uses it and it writes nothing
/// that a caller sees.
bool isDroppedInEntry(mlir::Operation &op);

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_ENTRIES_H
