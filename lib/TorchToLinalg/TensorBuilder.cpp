//===- TensorBuilder.cpp - Types, sizes, and maps over elements -----------===//
//
// The element-wise half of TensorBuilder.
//
//===----------------------------------------------------------------------===//
#include "TensorBuilder.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace kclaw {

bool isUnsigned(Type dtype) {
  return dtype.isUnsignedInteger() || dtype.isInteger(1);
}

//===--- Body -------------------------------------------------------------===//

Num Body::index(int64_t dim) const {
  Value position = linalg::IndexOp::create(builder, loc, dim);
  return wrap(
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), position));
}

Num Body::constant(Type type, double value) const {
  if (isa<FloatType>(type))
    return wrap(arith::ConstantOp::create(builder, loc,
                                          builder.getFloatAttr(type, value)));
  APInt bits(type.getIntOrFloatBitWidth(), static_cast<int64_t>(value),
             /*isSigned=*/true, /*implicitTrunc=*/true);
  return wrap(arith::ConstantOp::create(builder, loc,
                                        builder.getIntegerAttr(type, bits)));
}

Num Body::size(OpFoldResult size) const {
  if (std::optional<int64_t> fixed = getConstantIntValue(size))
    return wrap(arith::ConstantOp::create(builder, loc,
                                          builder.getI64IntegerAttr(*fixed)));
  return wrap(arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                         cast<Value>(size)));
}

Num Body::load(Tensor tensor, ArrayRef<Num> positions) const {
  SmallVector<Value> indices;
  for (Num position : positions)
    indices.push_back(toIndex(position).value);
  return wrap(tensor::ExtractOp::create(builder, loc, tensor.value, indices),
              isUnsigned(tensor.dtype));
}

//===--- Types ------------------------------------------------------------===//

Type TensorBuilder::storageType(Type dtype) const {
  if (widen && isa<FloatType>(dtype))
    return b.getF64Type();
  return torch::builtinElementType(dtype);
}

Type TensorBuilder::computeDtype(Type dtype) const {
  auto floatType = dyn_cast<FloatType>(dtype);
  return floatType && floatType.getWidth() < 32 ? f32() : dtype;
}

Type TensorBuilder::computeType(Type dtype) const {
  return storageType(computeDtype(dtype));
}

Type TensorBuilder::sumDtype(Type dtype) const {
  return isa<FloatType>(dtype) ? f64() : si64();
}

//===--- Sizes ------------------------------------------------------------===//

Sizes TensorBuilder::sizes(Tensor tensor) {
  return tensor::getMixedSizes(b, loc, tensor.value);
}

OpFoldResult TensorBuilder::size(Tensor tensor, int64_t dim) {
  return tensor::getMixedSize(b, loc, tensor.value, dim);
}

Value TensorBuilder::asIndex(OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(b, loc, size);
}

template <typename Op>
static OpFoldResult sizeOp(TensorBuilder &t, OpFoldResult x, OpFoldResult y,
                           llvm::function_ref<int64_t(int64_t, int64_t)> fold) {
  std::optional<int64_t> a = getConstantIntValue(x);
  std::optional<int64_t> c = getConstantIntValue(y);
  if (a && c)
    return t.b.getIndexAttr(fold(*a, *c));
  return Op::create(t.b, t.loc, t.asIndex(x), t.asIndex(y)).getResult();
}

OpFoldResult TensorBuilder::add(OpFoldResult a, OpFoldResult c) {
  return sizeOp<arith::AddIOp>(*this, a, c, std::plus<int64_t>());
}
OpFoldResult TensorBuilder::sub(OpFoldResult a, OpFoldResult c) {
  return sizeOp<arith::SubIOp>(*this, a, c, std::minus<int64_t>());
}
OpFoldResult TensorBuilder::mul(OpFoldResult a, OpFoldResult c) {
  return sizeOp<arith::MulIOp>(*this, a, c, std::multiplies<int64_t>());
}
OpFoldResult TensorBuilder::divide(OpFoldResult a, OpFoldResult c) {
  return sizeOp<arith::DivSIOp>(
      *this, a, c, [](int64_t x, int64_t y) { return y == 0 ? 0 : x / y; });
}
OpFoldResult TensorBuilder::minimum(OpFoldResult a, OpFoldResult c) {
  return sizeOp<arith::MinSIOp>(
      *this, a, c, [](int64_t x, int64_t y) { return std::min(x, y); });
}
OpFoldResult TensorBuilder::maximum(OpFoldResult a, OpFoldResult c) {
  return sizeOp<arith::MaxSIOp>(
      *this, a, c, [](int64_t x, int64_t y) { return std::max(x, y); });
}

Sizes TensorBuilder::broadcastSizes(ArrayRef<Tensor> tensors) {
  int64_t rank = 0;
  for (Tensor tensor : tensors)
    rank = std::max(rank, tensor.rank());
  Sizes result(rank, fixed(1));
  for (Tensor tensor : tensors)
    for (int64_t dim = 0; dim < tensor.rank(); ++dim) {
      OpFoldResult &slot = result[rank - tensor.rank() + dim];
      int64_t extent = tensor.shape()[dim];
      // A static size other than 1 settles it; a dynamic one only beats 1.
      if (extent == 1 || (ShapedType::isDynamic(extent) &&
                          getConstantIntValue(slot) != int64_t(1)))
        continue;
      slot = size(tensor, dim);
    }
  return result;
}

//===--- Maps -------------------------------------------------------------===//

AffineMap TensorBuilder::dimsMap(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims)
    exprs.push_back(d(dim));
  return map(rank, exprs);
}

AffineMap TensorBuilder::broadcastMap(Tensor tensor, int64_t rank,
                                      ArrayRef<OpFoldResult> sizes) {
  SmallVector<AffineExpr> exprs;
  int64_t offset = rank - tensor.rank();
  for (int64_t dim = 0; dim < tensor.rank(); ++dim) {
    bool repeated = tensor.shape()[dim] == 1 &&
                    getConstantIntValue(sizes[offset + dim]) != int64_t(1);
    exprs.push_back(repeated ? c(0) : d(offset + dim));
  }
  return map(rank, exprs);
}

//===--- Maps over elements -----------------------------------------------===//

Tensor TensorBuilder::empty(ArrayRef<OpFoldResult> sizes, Type dtype) {
  return {tensor::EmptyOp::create(b, loc, sizes, storageType(dtype)), dtype};
}

TypedAttr TensorBuilder::number(Type dtype, double value) {
  Type type = storageType(dtype);
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, value);
  APInt bits(type.getIntOrFloatBitWidth(), static_cast<int64_t>(value),
             /*isSigned=*/true, /*implicitTrunc=*/true);
  return b.getIntegerAttr(type, bits);
}

Tensor TensorBuilder::fill(ArrayRef<OpFoldResult> sizes, Type dtype,
                           TypedAttr value) {
  Value scalar = arith::ConstantOp::create(b, loc, value);
  Tensor target = empty(sizes, dtype);
  return {linalg::FillOp::create(b, loc, scalar, target.value).getResult(0),
          dtype};
}

Tensor TensorBuilder::fill(ArrayRef<OpFoldResult> sizes, Type dtype,
                           double value) {
  return fill(sizes, dtype, number(dtype, value));
}

Tensor TensorBuilder::elementwise(Inputs inputs, ArrayRef<OpFoldResult> sizes,
                                  Type dtype, Type argDtype, ElementFn body) {
  int64_t rank = sizes.size();
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    operands.push_back(input.tensor.value);
    maps.push_back(input.map ? input.map
                             : broadcastMap(input.tensor, rank, sizes));
    requireFitUnrepeated(input.tensor, maps.back(), sizes);
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Tensor target = empty(sizes, dtype);
  auto build = [&](OpBuilder &nested, Location at, ValueRange args) {
    Body place{nested, at};
    SmallVector<Num> numbers;
    for (auto [input, arg] : llvm::zip(inputs, args.drop_back())) {
      Type from = input.tensor.dtype, to = argDtype ? argDtype : from;
      numbers.push_back(convert(place.wrap(arg, isUnsigned(from)),
                                computeType(to), isUnsigned(to)));
    }
    Num result =
        convert(body(place, numbers), storageType(dtype), isUnsigned(dtype));
    linalg::YieldOp::create(nested, at, result.value);
  };
  auto op = linalg::GenericOp::create(b, loc, target.value.getType(), operands,
                                      target.value, maps, loops, build);
  return {op.getResult(0), dtype};
}

Tensor TensorBuilder::convertTo(Tensor tensor, Type dtype) {
  if (storageType(dtype) == tensor.type().getElementType())
    return {tensor.value, dtype};
  return elementwise({tensor}, sizes(tensor), dtype, {},
                     [](Body, ArrayRef<Num> x) { return x[0]; });
}

Tensor TensorBuilder::roundTo(Tensor tensor, Type dtype) {
  if (tensor.dtype == dtype)
    return tensor;
  if (!widen || !isa<FloatType>(dtype) || dtype.isF64())
    return convertTo(tensor, dtype);
  return elementwise(
      {tensor}, sizes(tensor), dtype, {},
      [&](Body, ArrayRef<Num> x) { return convert(x[0], dtype, false); });
}

} // namespace kclaw
