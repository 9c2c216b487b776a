//===- SizeTracer.cpp - Sizes in terms of the arguments' sizes ------------===//
//
// Copies what computes a size into another function, as far as it needs no
// data.
//
//===----------------------------------------------------------------------===//
#include "SizeTracer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace kclaw {

FailureOr<Value> SizeTracer::value(OpFoldResult size, Location loc) {
  if (std::optional<int64_t> fixed = getConstantIntValue(size))
    return arith::ConstantIndexOp::create(builder, loc, *fixed).getResult();
  return value(cast<Value>(size));
}

FailureOr<Value> SizeTracer::value(Value original) {
  if (Value known = mapping.lookupOrNull(original))
    return known;
  Operation *op = original.getDefiningOp();
  if (!op)
    return failure();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    FailureOr<Value> found =
        index ? size(dim.getSource(), *index) : FailureOr<Value>(failure());
    if (succeeded(found))
      mapping.map(original, *found);
    return found;
  }
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return failure();
  for (Value operand : op->getOperands())
    if (failed(value(operand)))
      return failure();
  builder.clone(*op, mapping);
  return mapping.lookup(original);
}

/// The size of what an op makes, one row a kind of op.
FailureOr<Value> SizeTracer::madeSize(Operation *op, OpResult tensor,
                                      int64_t dim) {
  Location loc = op->getLoc();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return value(empty.getMixedSizes()[dim], loc);
  if (auto target = dyn_cast<DestinationStyleOpInterface>(op))
    return size(target.getDpsInitOperand(tensor.getResultNumber())->get(), dim);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return size(cast.getSource(), dim);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return value(expand.getMixedOutputShape()[dim], loc);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [source, taken] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(source) && dim-- == 0)
        return value(taken, loc);
    return failure();
  }
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    auto list = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
    return list ? value(list.getElements()[dim]) : FailureOr<Value>(failure());
  }
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  if (!collapse)
    return failure();
  Value product;
  for (int64_t source : collapse.getReassociationIndices()[dim]) {
    FailureOr<Value> factor = size(collapse.getSrc(), source);
    if (failed(factor))
      return failure();
    product =
        product
            ? arith::MulIOp::create(builder, loc, product, *factor).getResult()
            : *factor;
  }
  return product;
}

FailureOr<Value> SizeTracer::size(Value tensor, int64_t dim) {
  auto known = sizes.find({tensor, dim});
  if (known != sizes.end())
    return known->second;
  int64_t extent = cast<ShapedType>(tensor.getType()).getDimSize(dim);
  Operation *op = tensor.getDefiningOp();
  if (ShapedType::isDynamic(extent) && !op)
    return failure();
  FailureOr<Value> found =
      ShapedType::isDynamic(extent)
          ? madeSize(op, cast<OpResult>(tensor), dim)
          : FailureOr<Value>(
                arith::ConstantIndexOp::create(builder, tensor.getLoc(), extent)
                    .getResult());
  if (succeeded(found))
    sizes[{tensor, dim}] = *found;
  return found;
}

} // namespace kclaw
