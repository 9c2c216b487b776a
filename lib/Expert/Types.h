//===- Types.h - Element types as CUDA C++ sees them ------------*- C++ -*-===//
//
// How values are held and computed, as PyTorch does: 16-bit floats live in
// registers as floats that were rounded to 16 bits after each operator; small
// integers and booleans compute as int.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_TYPES_H
#define KERNELCLAW_LIB_EXPERT_TYPES_H

#include "kernelclaw/Spec/KernelSpec.h"

#include <string>

namespace kclaw::expert {

/// A value of this dtype in a register: "float", "llong", "bool", ...
std::string registerType(DType type);
/// An element in memory, as one word, so that it works as a cast.
std::string elementType(DType type);
/// What an operator with this result dtype computes in.
std::string computeType(DType type);
bool isFloatType(const std::string &type);

/// `text` (of C++ type `from`) as C++ type `to`.
std::string convert(const std::string &text, const std::string &from,
                    const std::string &to);
/// `text` (of type `from`) as an element of `type` in a register, rounded.
std::string toElement(const std::string &text, const std::string &from,
                      DType type);
/// A scalar literal as `type`; nullopt-like empty text for lists and None.
std::string literalText(const Literal &literal, const std::string &type);
/// For conditions and messages: "2", "0.5", "true", "tanh", "none".
std::string plainText(const Literal &literal);

/// PyTorch's result type of two element types.
DType promote(DType a, DType b);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_TYPES_H
