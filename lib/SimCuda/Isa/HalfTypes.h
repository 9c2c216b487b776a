//===- HalfTypes.h - f16 and bf16 as 16 bits --------------------*- C++ -*-===//
//
// The arithmetic of both is done in float or double and rounded once: a
// product of two and its sum with a third are exact enough in double that the
// second rounding cannot show (f16), or the sum is rounded to odd (bf16).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_HALFTYPES_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_HALFTYPES_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace kclaw::sim {

inline constexpr uint16_t halfNan = 0x7fff;

/// Nearest even float, then the last bit set if that was not exact: rounding
/// the result again to fewer bits gives what one rounding gives.
inline float toFloatOdd(double x) {
  auto nearest = float(x);
  auto bits = std::bit_cast<uint32_t>(nearest);
  bits -= std::fabs(double(nearest)) > std::fabs(x);
  bits |= double(nearest) != x;
  return x == x ? std::bit_cast<float>(bits) : nearest;
}

struct F16 {
  uint16_t bits = 0;
  static constexpr uint16_t one = 0x3c00;
  static constexpr uint16_t exponent = 0x7c00;
  float value() const { return float(std::bit_cast<_Float16>(bits)); }
  static F16 fromFloat(float x) {
    auto rounded = std::bit_cast<uint16_t>(_Float16(x));
    return {x == x ? rounded : halfNan};
  }
  static F16 from(double x) { return fromFloat(toFloatOdd(x)); }
  /// Towards zero; from 2^16 on infinity.
  static F16 truncated(float x) {
    F16 d = fromFloat(x);
    float size = std::fabs(x);
    d.bits -= size < 0x1p16f && std::fabs(d.value()) > size;
    return d;
  }
};

struct BF16 {
  uint16_t bits = 0;
  static constexpr uint16_t one = 0x3f80;
  static constexpr uint16_t exponent = 0x7f80;
  float value() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
  static BF16 fromFloat(float x) {
    auto wide = std::bit_cast<uint32_t>(x);
    auto rounded = uint16_t((wide + 0x7fff + ((wide >> 16) & 1)) >> 16);
    return {x == x ? rounded : halfNan};
  }
  static BF16 from(double x) { return fromFloat(toFloatOdd(x)); }
  /// Towards zero.
  static BF16 truncated(float x) {
    auto kept = uint16_t(std::bit_cast<uint32_t>(x) >> 16);
    return {x == x ? kept : halfNan};
  }
};

/// Subnormal -> zero of the same sign.
template <class H> H flushHalf(H x) {
  return {uint16_t(x.bits & H::exponent ? x.bits : x.bits & 0x8000)};
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_HALFTYPES_H
