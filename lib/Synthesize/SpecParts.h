//===- SpecParts.h - Pieces of buildKernelSpec ------------------*- C++ -*-===//
//
// Private to the library: each fills one part of a KernelSpec from a region
// function.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_SPECPARTS_H
#define KERNELCLAW_LIB_SYNTHESIZE_SPECPARTS_H

#include "kernelclaw/Outline/DimNames.h"
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

/// Only the arguments and results of a function, without ops; for whole
/// modules, whose weights no graph can hold.
mlir::FailureOr<GraphBuild> buildBorder(mlir::func::FuncOp function);

/// One line an op: `v3 = aten.softmax.int(v0, -1, None)  # f32[4, 8]`.
std::string renderListing(const OpGraph &graph);

/// The dimensions of an argument or result, dynamic ones with sizes to try.
std::vector<Dim> specDims(DimNames &names, mlir::Value value);

/// claw.domain = "real", "nonnegative", "positive", "unit", "boolean",
/// "integer" or "index<N>"; nullopt for another text.
std::optional<Domain> parseDomain(llvm::StringRef text);

/// From `claw.domain` and `claw.scale`, else from the ops that use it.
Domain inferDomain(mlir::func::FuncOp region, unsigned argument);

/// Sums over the ops.
double countFlops(mlir::func::FuncOp region);

/// f32, si64, i1 ...; nullopt for types that no kernel argument may have.
std::optional<DType> toDType(mlir::Type type);

} // namespace kclaw::synthesize

#endif // KERNELCLAW_LIB_SYNTHESIZE_SPECPARTS_H
