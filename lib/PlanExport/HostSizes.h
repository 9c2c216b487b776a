//===- HostSizes.h - What the host knows about sizes ------------*- C++ -*-===//
//
// Sizes, offsets and strides of host buffers as affine expressions, whose
// symbols are values that the host has at the call: dimensions of arguments
// and integer scalars. A static size is a constant expression, so kernels treat
// both alike; equal sizes are equal expressions.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_HOSTSIZES_H
#define KERNELCLAW_LIB_PLANEXPORT_HOSTSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineExpr.h"

namespace kclaw {

/// A non-negative number of elements (or blocks), known when the host runs.
using Size = mlir::AffineExpr;

/// The value of a constant size.
std::optional<int64_t> constantSize(Size size);

/// What an unknown size counts as where a kernel is chosen.
constexpr int64_t typicalSize = 512;

/// In elements of the root buffer.
struct Layout {
  Size offset;
  llvm::SmallVector<Size> sizes, strides;
};

class HostSizes {
public:
  /// `host` returns the dynamic sizes of the results among its arguments.
  explicit HostSizes(mlir::func::FuncOp host);

  Size constant(int64_t value);
  /// The index or integer `value` of the host.
  Size of(mlir::OpFoldResult value);
  Size dim(mlir::Value view, int64_t index);
  /// Null offset when a view is of an unknown kind.
  Layout layout(mlir::Value view);
  /// The size as an index value in front of the builder's insertion point.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                          Size size);
  /// A size to choose kernels by: each unknown one counts as typicalSize.
  int64_t estimate(Size size);

private:
  Size ofValue(mlir::Value value);
  Size symbol(mlir::Value value);
  Layout contiguous(llvm::SmallVector<Size> sizes);
  Size rootSize(mlir::Value root, int64_t index);
  Layout rootLayout(mlir::Value root);
  Layout viewLayout(mlir::Operation *view);

  mlir::func::FuncOp host;
  llvm::SmallVector<mlir::Value> roots; ///< index values, one a symbol
  llvm::DenseMap<mlir::Value, Size> known;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> resultSizes;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Size> dims; ///< of roots
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_HOSTSIZES_H
