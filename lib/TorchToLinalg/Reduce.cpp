//===- Reduce.cpp - Reductions and contractions ---------------------------===//
//
// Every reduction is one linalg.generic whose accumulator is never narrower
// than f32, and f64 for sums of floats: long f32 sums stay right without being
// split into blocks. Contractions accumulate f16, bf16 and f32 in f32.
//
//===----------------------------------------------------------------------===//
#include "TensorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;

namespace kclaw {

TypedAttr TensorBuilder::lowest(Type dtype) {
  Type type = storageType(dtype);
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, -std::numeric_limits<double>::infinity());
  unsigned width = type.getIntOrFloatBitWidth();
  return b.getIntegerAttr(type, isUnsigned(dtype)
                                    ? APInt::getZero(width)
                                    : APInt::getSignedMinValue(width));
}

TypedAttr TensorBuilder::highest(Type dtype) {
  Type type = storageType(dtype);
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, std::numeric_limits<double>::infinity());
  unsigned width = type.getIntOrFloatBitWidth();
  return b.getIntegerAttr(type, isUnsigned(dtype)
                                    ? APInt::getAllOnes(width)
                                    : APInt::getSignedMaxValue(width));
}

/// The dims of a domain that a reduction keeps.
static Dims keptDims(int64_t rank, ArrayRef<int64_t> over) {
  Dims kept;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(over, dim))
      kept.push_back(dim);
  return kept;
}

Tensor TensorBuilder::reduce(Inputs inputs, ArrayRef<OpFoldResult> domain,
                             ArrayRef<int64_t> over, Type dtype,
                             TypedAttr initial, StepFn step) {
  Sizes sizes;
  for (int64_t dim : keptDims(domain.size(), over))
    sizes.push_back(domain[dim]);
  return reduceInto(fill(sizes, dtype, initial), inputs, domain, over, step);
}

Tensor TensorBuilder::reduceInto(Tensor initial, Inputs inputs,
                                 ArrayRef<OpFoldResult> domain,
                                 ArrayRef<int64_t> over, StepFn step) {
  int64_t rank = domain.size();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  for (int64_t dim : over)
    loops[dim] = utils::IteratorType::reduction;
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    operands.push_back(input.tensor.value);
    maps.push_back(input.map ? input.map
                             : broadcastMap(input.tensor, rank, domain));
    requireFit(input.tensor, maps.back(), domain);
  }
  maps.push_back(dimsMap(rank, keptDims(rank, over)));
  requireFit(initial, maps.back(), domain);
  Type dtype = initial.dtype;
  auto build = [&](OpBuilder &nested, Location at, ValueRange args) {
    Body place{nested, at};
    SmallVector<Num> numbers;
    for (auto [input, arg] : llvm::zip(inputs, args.drop_back()))
      numbers.push_back(place.wrap(arg, isUnsigned(input.tensor.dtype)));
    Num result =
        step(place, place.wrap(args.back(), isUnsigned(dtype)), numbers);
    linalg::YieldOp::create(nested, at, result.value);
  };
  auto op = linalg::GenericOp::create(b, loc, initial.value.getType(), operands,
                                      initial.value, maps, loops, build);
  return {op.getResult(0), dtype};
}

Tensor TensorBuilder::sum(Inputs inputs, ArrayRef<OpFoldResult> domain,
                          ArrayRef<int64_t> over, Type argDtype,
                          ElementFn body) {
  Type dtype = sumDtype(argDtype);
  return reduce(inputs, domain, over, dtype, number(dtype, 0),
                [&](Body place, Num total, ArrayRef<Num> args) {
                  SmallVector<Num> numbers;
                  for (Num arg : args)
                    numbers.push_back(convert(arg, computeType(argDtype),
                                              isUnsigned(argDtype)));
                  return total + convert(body(place, numbers),
                                         storageType(dtype), false);
                });
}

Tensor TensorBuilder::sum(Tensor tensor, ArrayRef<int64_t> over) {
  return sum({tensor}, sizes(tensor), over, tensor.dtype,
             [](Body, ArrayRef<Num> x) { return x[0]; });
}

Tensor TensorBuilder::max(Tensor tensor, ArrayRef<int64_t> over) {
  return reduce({tensor}, sizes(tensor), over, tensor.dtype,
                lowest(tensor.dtype), [](Body, Num best, ArrayRef<Num> x) {
                  return kclaw::maximum(best, x[0]);
                });
}

Tensor TensorBuilder::min(Tensor tensor, ArrayRef<int64_t> over) {
  return reduce({tensor}, sizes(tensor), over, tensor.dtype,
                highest(tensor.dtype), [](Body, Num best, ArrayRef<Num> x) {
                  return kclaw::minimum(best, x[0]);
                });
}

Tensor TensorBuilder::contract(Input lhs, Input rhs,
                               ArrayRef<OpFoldResult> domain,
                               ArrayRef<int64_t> over, Type dtype) {
  Type inner = computeDtype(dtype);
  return reduce({lhs, rhs}, domain, over, inner, number(inner, 0),
                [&](Body, Num total, ArrayRef<Num> x) {
                  Type type = storageType(inner);
                  bool sign = isUnsigned(inner);
                  return total +
                         convert(x[0], type, sign) * convert(x[1], type, sign);
                });
}

} // namespace kclaw
