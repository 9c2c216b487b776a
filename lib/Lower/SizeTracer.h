//===- SizeTracer.h - Sizes in terms of the arguments' sizes --------------===//
//
// Used by kclaw-size-checks alone.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_SIZETRACER_H
#define KERNELCLAW_LOWER_SIZETRACER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace kclaw {

/// Values of an entry's body in terms of its sizes and scalars. Fails for what
/// depends on data; `mapping` and `sizes` start with those of the arguments.
struct SizeTracer {
  explicit SizeTracer(mlir::OpBuilder builder) : builder(builder) {}

  mlir::OpBuilder builder; ///< where the copies go
  mlir::IRMapping mapping;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> sizes;

  llvm::FailureOr<mlir::Value> value(mlir::Value original);

private:
  llvm::FailureOr<mlir::Value> value(mlir::OpFoldResult size,
                                     mlir::Location loc);
  llvm::FailureOr<mlir::Value> size(mlir::Value tensor, int64_t dim);
  llvm::FailureOr<mlir::Value> madeSize(mlir::Operation *op,
                                        mlir::OpResult tensor, int64_t dim);
};

} // namespace kclaw

#endif // KERNELCLAW_LOWER_SIZETRACER_H
