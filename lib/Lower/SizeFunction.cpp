//===- SizeFunction.cpp - Sizes from an entry's arguments -----------------===//
//
// Clones the backward slice of index values. Only side-effect-free ops without
// regions are cloned; the dimension of a temporary is traced to what the
// temporary was allocated or viewed with.
//
//===----------------------------------------------------------------------===//
#include "SizeFunction.h"
#include "kernelclaw/Lower/ReshapeSizes.h"

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
struct Slicer {
  OpBuilder builder;
  IRMapping mapping;

  FailureOr<Value> value(Value original);
  FailureOr<Value> dimension(memref::DimOp dim);
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

FailureOr<Value> Slicer::dimension(memref::DimOp dim) {
  std::optional<int64_t> index = dim.getConstantIndex();
  Operation *source = dim.getSource().getDefiningOp();
  if (!index)
    return failure();
  auto type = cast<MemRefType>(dim.getSource().getType());
  if (!type.isDynamicDim(*index))
    return arith::ConstantIndexOp::create(builder, dim.getLoc(),
                                          type.getDimSize(*index))
        .getResult();
  if (!source)
    return kclaw::sizeOf(builder, mapping.lookup(dim.getSource()), *index);
  FailureOr<Value> size = producedSize(source, *index);
  return failed(size) ? size : value(*size);
}

FailureOr<Value> Slicer::value(Value original) {
  if (Value known = mapping.lookupOrNull(original))
    return known;
  Operation *op = original.getDefiningOp();
  if (!op)
    return failure();
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    if (isa<BlockArgument>(dim.getSource()) &&
        !mapping.contains(dim.getSource()))
      return failure();
    FailureOr<Value> size = dimension(dim);
    if (succeeded(size))
      mapping.map(original, *size);
    return size;
  }
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return failure();
  for (Value operand : op->getOperands())
    if (failed(value(operand)))
      return failure();
  builder.clone(*op, mapping);
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
  Slicer slicer{OpBuilder::atBlockBegin(body), {}};
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
  func::ReturnOp::create(slicer.builder, entry.getLoc(), values);
  return function;
}
