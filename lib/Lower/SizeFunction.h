//===- SizeFunction.h - Sizes from an entry's arguments ----------*- C++
//-*-===//
//
// Slices index values out of a function's body, so that callers can learn sizes
// (workspace bytes, result dimensions) without running it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_LOWER_SIZEFUNCTION_H
#define KERNELCLAW_LIB_LOWER_SIZEFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

/// Creates the private function `name` beside `entry` that takes `arguments`
/// (the first of its arguments, or all) and returns `sizes` (index values of
/// the entry's body). A size that depends on anything else is a diagnostic; one
/// that leaves 64 bits is 2^63-1 when the function runs.
mlir::FailureOr<mlir::func::FuncOp>
makeSizeFunction(mlir::func::FuncOp entry, llvm::StringRef name,
                 mlir::ValueRange sizes, mlir::ValueRange arguments);

/// The size of `memref` in dimension `dim`, built before the builder's
/// position.
mlir::Value sizeOf(mlir::OpBuilder &builder, mlir::Value memref, int64_t dim);

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_SIZEFUNCTION_H
