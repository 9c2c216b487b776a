//===- ReducedSizes.h - A region at smaller static sizes --------*- C++ -*-===//
//
// The simulator cannot run large regions. A region with static sizes means the
// same at other sizes, as long as no size is written in it: this finds the
// classes of dimensions for which that holds, and makes the smaller regions.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_OUTLINE_REDUCEDSIZES_H
#define KERNELCLAW_OUTLINE_REDUCEDSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace kclaw {

/// Elements of all arguments and results; dynamic sizes count as one.
uint64_t borderElements(mlir::func::FuncOp region);

/// Names (DimNames) of the dimensions that may have another size.
std::vector<std::string> shrinkableDims(mlir::func::FuncOp region);

/// Modules with the region alone, each at other sizes: with `elements` or
/// little more (four times that at most, where it can be); then odd sizes; then
/// odd multiples of eight. Dimensions that are reduced, scanned or normalised
/// stay as long as others can shrink, one after the other where they are too
/// large together; lib/Outline/SizeChoice.cpp says how. In the two latter,
/// dimensions of different names have different sizes. Empty when nothing may
/// shrink or a size is dynamic. Not verified: see mlir::verify.
std::vector<mlir::OwningOpRef<mlir::ModuleOp>>
reducedVariants(mlir::func::FuncOp region, uint64_t elements);

} // namespace kclaw

#endif // KERNELCLAW_OUTLINE_REDUCEDSIZES_H
