//===- ShrinkableDims.h - Dimensions that may have other sizes --*- C++ -*-===//
//
// Private to lib/Outline.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_SHRINKABLEDIMS_H
#define KERNELCLAW_LIB_OUTLINE_SHRINKABLEDIMS_H

#include "kernelclaw/Outline/DimClasses.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Outline/Windows.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace kclaw {

/// What a region does along a dimension; of several the last. A kernel's loops
/// run along those that are contracted, and above all along those over which it
/// reduces.
enum class DimRole {
  Outer,      ///< the same again: batches, channels of pools, rows
  Tiled,      ///< rows and columns of products, images, queries
  Contracted, ///< summed up by products; keys of attention
  Reduced,    ///< reduced, scanned or normalised
};

/// Size of each class of dimensions that may be another; in order of
/// appearance in arguments, then results.
class ShrinkableDims {
public:
  using Sizes = llvm::MapVector<unsigned, int64_t>;

  /// Nothing is shrinkable in a region with a dynamic size or more than one
  /// block.
  explicit ShrinkableDims(mlir::func::FuncOp region);

  const Sizes &sizes() const { return shrinkable; }
  DimRole roleOf(unsigned dimClass) const { return roles.lookup(dimClass); }
  /// `sizes` and those that follow from them: of what windows make. None where
  /// they contradict each other or one is below `smallest`.
  std::optional<Sizes> complete(const Sizes &sizes, int64_t smallest) const;
  unsigned classOf(mlir::Value value, unsigned dim) {
    return classes.classOf(value, dim);
  }

private:
  void tie(mlir::Operation *op);
  void tieAttention(mlir::Operation *op);
  void tieLoss(mlir::Operation *op);
  void fixWhatIsWritten(mlir::Operation *op);
  void fixScalar(mlir::Operation *op);
  void fixAll(mlir::Operation *op);
  void fixFrom(mlir::Value value, unsigned first);
  void fixUntied(mlir::Operation *op);
  void fixAroundWindows(mlir::Operation *op);
  void settleWindows();
  void findRoles(mlir::Operation *op);
  void addRole(mlir::Value value, int64_t dim, DimRole role);

  /// Windows along `from` that make `to`.
  struct Slide {
    unsigned from, to;
    Window window;
  };

  DimClasses classes;
  llvm::DenseSet<unsigned> fixed;
  Sizes shrinkable;
  std::vector<Slide> windows; ///< in the order of the ops
  llvm::DenseMap<unsigned, DimRole> roles;
};

/// The list of sizes of an op that may be rewritten with them: the operand, and
/// the value whose trailing dimensions it lists. Null where there is none.
std::pair<mlir::Value, mlir::Value> sizesListOf(mlir::Operation *op);

} // namespace kclaw

#endif // KERNELCLAW_LIB_OUTLINE_SHRINKABLEDIMS_H
