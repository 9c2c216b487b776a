//===- HostSizes.cpp - What the host knows about sizes --------------------===//
//
// Sums and products of index values become expressions; anything else is a
// symbol of its own, which HostToPlan reads or refuses.
//
//===----------------------------------------------------------------------===//
#include "HostSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kclaw;

std::optional<int64_t> kclaw::constantSize(Size size) {
  auto constant = dyn_cast<AffineConstantExpr>(size);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

HostSizes::HostSizes(func::FuncOp host) : host(host) {
  SmallVector<Value> sizes(host.front().getTerminator()->getOperands());
  for (BlockArgument argument : llvm::reverse(host.getArguments())) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    for (int64_t i = type ? type.getRank() : 0; i-- > 0;)
      if (type.isDynamicDim(i) && !sizes.empty())
        resultSizes[{argument, i}] = sizes.pop_back_val();
  }
}

Size HostSizes::constant(int64_t value) {
  return getAffineConstantExpr(value, host.getContext());
}

Size HostSizes::symbol(Value value) {
  if (!value.getType().isIndex()) {
    OpBuilder builder(host.getContext());
    builder.setInsertionPointAfterValue(value);
    value = arith::IndexCastOp::create(builder, value.getLoc(),
                                       builder.getIndexType(), value);
  }
  roots.push_back(value);
  return getAffineSymbolExpr(roots.size() - 1, host.getContext());
}

Size HostSizes::of(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return constant(cast<IntegerAttr>(attribute).getInt());
  Value dynamic = cast<Value>(value);
  if (Size size = known.lookup(dynamic))
    return size;
  Size size = ofValue(dynamic);
  known[dynamic] = size;
  return size;
}

Size HostSizes::ofValue(Value value) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return constant(number.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (!op)
    return symbol(value);
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  auto divided = [&](bool up) {
    Size divisor = operand(1);
    std::optional<int64_t> by = constantSize(divisor);
    if (!by || *by <= 0)
      return symbol(value);
    return up ? operand(0).ceilDiv(divisor) : operand(0).floorDiv(divisor);
  };
  return llvm::TypeSwitch<Operation *, Size>(op)
      .Case<arith::AddIOp>([&](auto) { return operand(0) + operand(1); })
      .Case<arith::SubIOp>([&](auto) { return operand(0) - operand(1); })
      .Case<arith::MulIOp>([&](auto) { return operand(0) * operand(1); })
      // Sizes are not negative: all three divisions are one.
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return divided(false); })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto) { return divided(true); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(
          [&](auto) { return operand(0); })
      .Case<memref::DimOp>([&](memref::DimOp dim) {
        std::optional<int64_t> index = dim.getConstantIndex();
        return index ? this->dim(dim.getSource(), *index) : symbol(value);
      })
      .Case<affine::AffineApplyOp>([&](affine::AffineApplyOp apply) {
        AffineMap map = apply.getAffineMap();
        SmallVector<AffineExpr> operands;
        for (Value each : apply.getMapOperands())
          operands.push_back(of(each));
        ArrayRef<AffineExpr> all(operands);
        return map.getResult(0).replaceDimsAndSymbols(
            all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
      })
      .Default([&](Operation *) { return symbol(value); });
}

Size HostSizes::dim(Value view, int64_t index) {
  auto type = cast<MemRefType>(view.getType());
  if (!type.isDynamicDim(index))
    return constant(type.getDimSize(index));
  Layout known = layout(view);
  if (known.offset)
    return known.sizes[index];
  OpBuilder builder(host.getContext());
  builder.setInsertionPointAfterValue(view);
  return symbol(memref::DimOp::create(builder, view.getLoc(), view, index));
}

Layout HostSizes::contiguous(SmallVector<Size> sizes) {
  SmallVector<Size> strides = computeStrides(sizes);
  return Layout{constant(0), std::move(sizes), std::move(strides)};
}

Size HostSizes::rootSize(Value root, int64_t index) {
  if (Value size = resultSizes.lookup({root, index}))
    return of(size);
  auto type = cast<MemRefType>(root.getType());
  if (auto alloc = root.getDefiningOp<memref::AllocOp>())
    return of(alloc.getDynamicSizes()[type.getDynamicDimIndex(index)]);
  OpBuilder builder(host.getContext());
  builder.setInsertionPointAfterValue(root);
  return symbol(memref::DimOp::create(builder, root.getLoc(), root, index));
}

/// An argument, or what an allocation was made with.
Layout HostSizes::rootLayout(Value root) {
  auto type = cast<MemRefType>(root.getType());
  SmallVector<Size> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (!type.isDynamicDim(i)) {
      sizes.push_back(constant(type.getDimSize(i)));
      continue;
    }
    Size size = dims.lookup({root, i});
    if (!size)
      dims[{root, i}] = size = rootSize(root, i);
    sizes.push_back(size);
  }
  return contiguous(std::move(sizes));
}

static Layout subview(HostSizes &sizes, memref::SubViewOp op, Layout from) {
  Layout to{from.offset, {}, {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [i, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    to.offset = to.offset + sizes.of(offset) * from.strides[i];
    if (dropped.test(i))
      continue;
    to.sizes.push_back(sizes.of(size));
    to.strides.push_back(sizes.of(stride) * from.strides[i]);
  }
  return to;
}

static Layout expand(HostSizes &sizes, memref::ExpandShapeOp op, Layout from) {
  Layout to{from.offset, {}, {}};
  for (OpFoldResult size : op.getMixedOutputShape())
    to.sizes.push_back(sizes.of(size));
  to.strides.resize(to.sizes.size());
  for (auto [group, stride] :
       llvm::zip(op.getReassociationIndices(), from.strides)) {
    Size next = stride;
    for (int64_t dim : llvm::reverse(group)) {
      to.strides[dim] = next;
      next = next * to.sizes[dim];
    }
  }
  for (Size &stride : to.strides)
    if (!stride)
      stride = sizes.constant(1);
  return to;
}

/// The stride of a group is that of its last dimension that is not 1.
static Layout collapse(HostSizes &sizes, memref::CollapseShapeOp op,
                       Layout from) {
  Layout to{from.offset, {}, {}};
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    Size size = sizes.constant(1), stride;
    for (int64_t dim : llvm::reverse(group)) {
      size = size * from.sizes[dim];
      if (!stride && from.sizes[dim] != 1)
        stride = from.strides[dim];
    }
    to.sizes.push_back(size);
    to.strides.push_back(stride ? stride : from.strides[group.back()]);
  }
  return to;
}

Layout HostSizes::viewLayout(Operation *view) {
  auto list = [&](ArrayRef<OpFoldResult> values) {
    SmallVector<Size> sizes;
    for (OpFoldResult value : values)
      sizes.push_back(of(value));
    return sizes;
  };
  if (auto op = dyn_cast<memref::ReinterpretCastOp>(view))
    return Layout{of(op.getMixedOffsets()[0]), list(op.getMixedSizes()),
                  list(op.getMixedStrides())};
  if (view->getNumOperands() == 0 ||
      !isa<MemRefType>(view->getOperand(0).getType()))
    return {};
  Layout source = layout(view->getOperand(0));
  if (!source.offset)
    return {};
  return llvm::TypeSwitch<Operation *, Layout>(view)
      .Case<memref::CastOp>([&](auto) { return source; })
      .Case<memref::SubViewOp>(
          [&](memref::SubViewOp op) { return subview(*this, op, source); })
      .Case<memref::ExpandShapeOp>(
          [&](memref::ExpandShapeOp op) { return expand(*this, op, source); })
      .Case<memref::CollapseShapeOp>([&](memref::CollapseShapeOp op) {
        return collapse(*this, op, source);
      })
      .Default([](Operation *) { return Layout{}; });
}

Layout HostSizes::layout(Value view) {
  Operation *op = view.getDefiningOp();
  if (op && !isa<memref::AllocOp, memref::GetGlobalOp>(op))
    return viewLayout(op);
  return rootLayout(view);
}

Value HostSizes::materialize(OpBuilder &builder, Location loc, Size size) {
  if (std::optional<int64_t> value = constantSize(size))
    return arith::ConstantIndexOp::create(builder, loc, *value);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(size))
    return roots[symbol.getPosition()];
  return affine::makeComposedAffineApply(builder, loc,
                                         AffineMap::get(0, roots.size(), size),
                                         getAsOpFoldResult(roots));
}

int64_t HostSizes::estimate(Size size) {
  SmallVector<AffineExpr> typical(roots.size(), constant(typicalSize));
  return constantSize(size.replaceSymbols(typical)).value_or(typicalSize);
}
