//===- ShrinkableDims.h - Dimensions that may have other sizes --*- C++ -*-===//
//
// Private to lib/Outline.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_SHRINKABLEDIMS_H
#define KERNELCLAW_LIB_OUTLINE_SHRINKABLEDIMS_H

#include "kernelclaw/Outline/DimClasses.h"
#include "kernelclaw/Outline/Outline.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace kclaw {

/// Size of each class of dimensions that may be another; in order of
/// appearance in arguments, then results.
class ShrinkableDims {
public:
  using Sizes = llvm::MapVector<unsigned, int64_t>;

  /// Nothing is shrinkable in a region with a dynamic size or more than one
  /// block.
  explicit ShrinkableDims(mlir::func::FuncOp region);

  const Sizes &sizes() const { return shrinkable; }
  unsigned classOf(mlir::Value value, unsigned dim) {
    return classes.classOf(value, dim);
  }

private:
  void tie(mlir::Operation *op);
  void fixWhatIsWritten(mlir::Operation *op);
  void fixScalar(mlir::Operation *op);
  void fixAll(mlir::Operation *op);
  void fixFrom(mlir::Value value, unsigned first);
  void fixUntied(mlir::Operation *op);

  DimClasses classes;
  llvm::DenseSet<unsigned> fixed;
  Sizes shrinkable;
};

/// The list of sizes of an op that may be rewritten with them: the operand, and
/// the value whose trailing dimensions it lists. Null where there is none.
std::pair<mlir::Value, mlir::Value> sizesListOf(mlir::Operation *op);

} // namespace kclaw

#endif // KERNELCLAW_LIB_OUTLINE_SHRINKABLEDIMS_H
