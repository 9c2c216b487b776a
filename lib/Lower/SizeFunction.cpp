//===- SizeFunction.cpp - Sizes from an entry's arguments -----------------===//
//
// Clones the backward slice of index values. Only side-effect-free ops without
// regions are cloned; the dimension of a temporary is traced to what the
// temporary was allocated or viewed with.
//
//===----------------------------------------------------------------------===//
#include "SizeFunction.h"
#include "kernelclaw/Lower/ReshapeSizes.h"

#include "CheckedSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

Value kclaw::sizeOf(OpBuilder &builder, Value memref, int64_t dim) {
  return memref::DimOp::create(builder, memref.getLoc(), memref, dim)
      .getResult();
}

namespace {
/// Goes by a stack of its own: chains of sizes may be thousands of ops long.
struct Slicer {
  explicit Slicer(Block *body) : builder(OpBuilder::atBlockBegin(body)) {}

  OpBuilder builder;
  IRMapping mapping;
  llvm::DenseMap<Value, Value> produced; ///< memref.dim -> what it is equal to

  FailureOr<Value> value(Value original);
  FailureOr<SmallVector<Value>> inputsOf(Value original);
  FailureOr<SmallVector<Value>> inputsOf(memref::DimOp dim);
  LogicalResult build(Value original);
  void build(memref::DimOp dim);
  LogicalResult build(affine::AffineApplyOp apply);
};
} // namespace

/// The value that op's result has as size `index`, in terms of its operands.
static FailureOr<Value> producedSize(Operation *op, int64_t index) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(index)];
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return view.getSizes()[view.getType().getDynamicDimIndex(index)];
  OpBuilder builder(op);
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return kclaw::sizeOf(builder, cast.getSource(), index);
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    return getValueOrCreateConstantIndexOp(builder, op->getLoc(),
                                           expand.getMixedOutputShape()[index]);
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    Value product;
    for (int64_t source : collapse.getReassociationIndices()[index]) {
      Value size = kclaw::sizeOf(builder, collapse.getSrc(), source);
      product =
          product ? arith::MulIOp::create(builder, op->getLoc(), product, size)
                        .getResult()
                  : size;
    }
    return product;
  }
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, size] : llvm::enumerate(subview.getMixedSizes()))
      if (!dropped.test(dim))
        sizes.push_back(size);
    return getValueOrCreateConstantIndexOp(builder, op->getLoc(), sizes[index]);
  }
  if (auto reshape = dyn_cast<memref::ReshapeOp>(op))
    return kclaw::reshapeSize(reshape, index);
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(builder, op, shapes)))
    return failure();
  return getValueOrCreateConstantIndexOp(builder, op->getLoc(),
                                         shapes[0][index]);
}

FailureOr<SmallVector<Value>> Slicer::inputsOf(memref::DimOp dim) {
  std::optional<int64_t> index = dim.getConstantIndex();
  if (!index)
    return failure();
  auto type = cast<MemRefType>(dim.getSource().getType());
  Operation *source = dim.getSource().getDefiningOp();
  if (!type.isDynamicDim(*index))
    return SmallVector<Value>();
  if (!source) {
    if (!mapping.contains(dim.getSource()))
      return failure();
    return SmallVector<Value>();
  }
  if (!produced.contains(dim)) {
    FailureOr<Value> size = producedSize(source, *index);
    if (failed(size))
      return failure();
    produced[dim] = *size;
  }
  return SmallVector<Value>{produced[dim]};
}

/// What has to be mapped before `original` can be.
FailureOr<SmallVector<Value>> Slicer::inputsOf(Value original) {
  Operation *op = original.getDefiningOp();
  if (!op)
    return failure();
  if (auto dim = dyn_cast<memref::DimOp>(op))
    return inputsOf(dim);
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return failure();
  return SmallVector<Value>(op->getOperands());
}

void Slicer::build(memref::DimOp dim) {
  int64_t index = *dim.getConstantIndex();
  auto type = cast<MemRefType>(dim.getSource().getType());
  if (!type.isDynamicDim(index))
    mapping.map(dim.getResult(),
                arith::ConstantIndexOp::create(builder, dim.getLoc(),
                                               type.getDimSize(index))
                    .getResult());
  else if (Value equal = produced.lookup(dim))
    mapping.map(dim.getResult(), mapping.lookup(equal));
  else
    mapping.map(dim.getResult(),
                kclaw::sizeOf(builder, mapping.lookup(dim.getSource()), index));
}

/// As arithmetic, so that all of it is checked.
LogicalResult Slicer::build(affine::AffineApplyOp apply) {
  SmallVector<Value> operands;
  for (Value operand : apply.getMapOperands())
    operands.push_back(mapping.lookup(operand));
  auto expanded = affine::expandAffineMap(builder, apply.getLoc(),
                                          apply.getAffineMap(), operands);
  if (!expanded)
    return failure();
  mapping.map(apply.getResult(), expanded->front());
  return success();
}

LogicalResult Slicer::build(Value original) {
  Operation *op = original.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return build(apply);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    build(dim);
  else
    builder.clone(*op, mapping);
  return success();
}

FailureOr<Value> Slicer::value(Value original) {
  SmallVector<Value> open{original};
  while (!open.empty()) {
    Value top = open.back();
    if (mapping.contains(top)) {
      open.pop_back();
      continue;
    }
    FailureOr<SmallVector<Value>> inputs = inputsOf(top);
    if (failed(inputs))
      return failure();
    size_t before = open.size();
    for (Value input : *inputs)
      if (!mapping.contains(input))
        open.push_back(input);
    if (open.size() == before && failed(build(top)))
      return failure();
  }
  return mapping.lookup(original);
}

FailureOr<func::FuncOp> kclaw::makeSizeFunction(func::FuncOp entry,
                                                StringRef name,
                                                ValueRange sizes,
                                                ValueRange arguments) {
  OpBuilder builder(entry);
  SmallVector<Type> results(sizes.size(), builder.getIndexType());
  auto function = func::FuncOp::create(
      builder, entry.getLoc(), name,
      builder.getFunctionType(arguments.getTypes(), results));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  Slicer slicer(body);
  slicer.mapping.map(arguments, body->getArguments());

  SmallVector<Value> values;
  for (Value size : sizes) {
    FailureOr<Value> value = slicer.value(size);
    if (failed(value)) {
      function.erase();
      return emitError(size.getLoc(),
                       "size depends on data, not only on the shapes of the "
                       "arguments; it cannot be known before the call");
    }
    values.push_back(*value);
  }
  checkSizes(slicer.builder, entry.getLoc(), values);
  func::ReturnOp::create(slicer.builder, entry.getLoc(), values);
  return function;
}
