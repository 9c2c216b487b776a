//===- Entries.h - Public functions to form M -------------------*- C++ -*-===//
//
// The second half of embedPlans.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EMBED_ENTRIES_H
#define KERNELCLAW_LIB_EMBED_ENTRIES_H

#include "RegionNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

/// What a region's caller needs to make room for its results.
struct RegionShape {
  RegionNames names;
  std::vector<std::vector<Expr>> results;
};
using RegionShapes = std::map<std::string, RegionShape>;

/// Rewrites `entry`, which calls region functions that take memrefs already:
/// each result of a call is written into a temporary or straight into a result
/// argument. It returns the sizes of dynamic results (Lower.h). Ops that are
/// left over are diagnosed by name.
mlir::LogicalResult rewriteEntry(mlir::func::FuncOp entry,
                                 const RegionShapes &regions);

/// Whether the rewrite leaves the op out: nobody uses it and it writes nothing
/// that a caller sees.
bool isDroppedInEntry(mlir::Operation &op);

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_ENTRIES_H
