//===- ReshapeSizes.h - The sizes that memref.reshape takes -----*- C++ -*-===//
//
// memref.reshape reads its sizes from memory. Both paths must know them before
// anything runs: CPU entries for NAME_shapes, plans as expressions.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_RESHAPESIZES_H
#define KERNELCLAW_LOWER_RESHAPESIZES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace kclaw {

/// The index value that the host stored as size `dim`: the memory is an
/// allocation, and of its stores, all to constant positions, exactly one is to
/// this one. Anything else is a diagnostic.
mlir::FailureOr<mlir::Value> reshapeSize(mlir::memref::ReshapeOp op,
                                         int64_t dim);

} // namespace kclaw

#endif // KERNELCLAW_LOWER_RESHAPESIZES_H
