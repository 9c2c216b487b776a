//===- Rules/OpTraits.h - What the rules know about Torch ops ---*- C++ -*-===//
//
// Tables by op name, "aten.gt.Scalar"; an overload that has no row of its own
// counts as its op, "aten.gt". What is in no table rounds, has no steps and
// moves elements: the answers with which a judgement is right, if less sharp.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_OPTRAITS_H
#define KERNELCLAW_LIB_DEVICE_RULES_OPTRAITS_H

#include "kernelclaw/Support/DType.h"

#include <cstddef>
#include <string_view>

namespace kclaw {

/// An op one of whose results are indices into its first operand.
struct IndexOp {
  std::string_view name;
  size_t result;
  int dimOperand;   ///< operand with the dimension; None: all of them
  int trailingDims; ///< not 0: indices run over that many last dimensions
  bool distinct;
};
/// Null when result `result` of the op holds no indices.
const IndexOp *indexOp(std::string_view name, size_t result);

/// Computes no new value from floats, or none that needs rounding.
bool isExactOp(std::string_view name);
/// Two inputs that are nearly equal can give results that are not.
bool hasSteps(std::string_view name);
/// Only the shape changes, not the order of the elements.
bool keepsFlatOrder(std::string_view name);
/// Sums of products: each term's rounding enters the sum, however small the
/// sum.
bool isProduct(std::string_view name);
/// The result has one size, whatever the size of what it is made of: an error
/// of the operand enters it undamped, relative to a much smaller result.
bool isBounded(std::string_view name);
/// A conversion of a tensor to another type.
bool isCast(std::string_view name);
/// Operand 1 divides operand 0; of integers there is no quotient by zero.
bool isQuotient(std::string_view name);
/// Zero where an element of its operand is, else not; moved or not.
bool keepsZeros(std::string_view name);
/// Every element is made of those before it.
bool isScan(std::string_view name);
/// A literal is the same number in this type.
bool isExactIn(DType type, double literal);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_OPTRAITS_H
