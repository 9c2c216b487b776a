//===- DimClasses.h - Which dimensions are the same -------------*- C++ -*-===//
//
// Union-find over (value, dimension) of one function. Two dimensions share a
// class only where the meaning of an op, or the exporter's symbols, make them
// equal; equal sizes alone do not.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_OUTLINE_DIMCLASSES_H
#define KERNELCLAW_OUTLINE_DIMCLASSES_H

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace kclaw {

struct DimRange {
  int64_t min;
  int64_t max;
};

class DimClasses {
public:
  explicit DimClasses(mlir::func::FuncOp function);

  unsigned classOf(mlir::Value value, unsigned dim);
  /// The range that torch.symbolic_int gives to the class, if any.
  std::optional<DimRange> rangeOf(unsigned dimClass);
  /// No effect on dimensions out of range, of size 1 or of different sizes.
  void unify(mlir::Value a, int64_t dimA, mlir::Value b, int64_t dimB);

private:
  using Key = std::pair<mlir::Value, unsigned>;
  void unifyOp(mlir::Operation *op);
  void unifySymbols(mlir::Operation *op);
  void unifyReduction(mlir::Operation *op);
  void unifyContraction(mlir::Operation *op);
  void unifyView(mlir::Operation *op);
  void unifyReshape(mlir::Value in, mlir::Value out);
  void unifyListedSizes(mlir::Operation *op);
  void unifyTrailing(mlir::Value a, mlir::Value b);
  unsigned find(unsigned node);
  unsigned nodeOf(Key key);

  std::vector<unsigned> parent;
  llvm::DenseMap<Key, unsigned> nodes;
  llvm::MapVector<mlir::Value, Key> symbols; ///< symbolic_int to a dimension
};

} // namespace kclaw

#endif // KERNELCLAW_OUTLINE_DIMCLASSES_H
