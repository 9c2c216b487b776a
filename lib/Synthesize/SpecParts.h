//===- SpecParts.h - Pieces of buildKernelSpec ------------------*- C++ -*-===//
//
// Private to the library: each fills one part of a KernelSpec from a region
// function.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_SPECPARTS_H
#define KERNELCLAW_LIB_SYNTHESIZE_SPECPARTS_H

#include "kernelclaw/Spec/KernelSpec.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace kclaw::synthesize {

/// The graph and where its values come from.
struct GraphBuild {
  OpGraph graph;
  llvm::DenseMap<mlir::Value, int> valueOf;
};

/// Diagnoses what a graph cannot hold (an unranked tensor, a scalar argument).
mlir::FailureOr<GraphBuild> buildGraph(mlir::func::FuncOp region);

/// One line an op: `v3 = aten.softmax.int(v0, -1, None)  # f32[4, 8]`.
std::string renderListing(const OpGraph &graph);

/// Names for the dimensions of arguments and results. Dimensions share a name
/// only where an op's meaning makes them equal.
class DimNames {
public:
  explicit DimNames(mlir::func::FuncOp region);
  /// `sizes` of the value's type become named dimensions.
  std::vector<Dim> dims(mlir::Value value);

private:
  using Key = std::pair<mlir::Value, unsigned>;
  void unifyOp(mlir::Operation *op);
  void unifyReduction(mlir::Operation *op);
  void unifyContraction(mlir::Operation *op);
  void unifyView(mlir::Operation *op);
  void unifyReshape(mlir::Value in, mlir::Value out);
  void unifyTrailing(mlir::Value a, mlir::Value b);
  void unify(mlir::Value a, int64_t dimA, mlir::Value b, int64_t dimB);
  unsigned find(unsigned node);
  unsigned nodeOf(Key key);

  std::vector<unsigned> parent;
  std::vector<int64_t> size; ///< static size of a class, else kDynamic
  llvm::DenseMap<Key, unsigned> nodes;
  llvm::DenseMap<unsigned, std::string> names;
};

/// From `claw.domain` and `claw.scale`, else from the ops that use it.
Domain inferDomain(mlir::func::FuncOp region, unsigned argument);

/// Sums over the ops.
double countFlops(mlir::func::FuncOp region);

/// f32, si64, i1 ...; nullopt for types that no kernel argument may have.
std::optional<DType> toDType(mlir::Type type);

} // namespace kclaw::synthesize

#endif // KERNELCLAW_LIB_SYNTHESIZE_SPECPARTS_H
