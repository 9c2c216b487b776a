//===- Types.h - PTX fundamental types --------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_PTX_TYPES_H
#define KERNELCLAW_LIB_SIMCUDA_PTX_TYPES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace kclaw::sim {

enum class Type : uint8_t {
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F32x2,
  F64,
};

/// "u32" (no dot) -> Type::U32. Types that only modify an instruction (tf32,
/// e4m3x2, ...) are not register types and give nothing.
std::optional<Type> parseType(std::string_view text);
std::string_view name(Type type);
/// Bits of a value; Pred is 1.
unsigned bits(Type type);
inline unsigned bytes(Type type) { return (bits(type) + 7) / 8; }
bool isFloat(Type type); ///< immediates of this type are floats
bool isSigned(Type type);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_PTX_TYPES_H
