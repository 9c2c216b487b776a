//===- Small.h - Floats of 8 and 16 bits as f32 -----------------*- C++ -*-===//
//
// Widening is exact; narrowing rounds to nearest even.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_SMALL_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_SMALL_H

#include <bit>
#include <cstdint>
#include <immintrin.h>

namespace kclaw::sim {

inline float halfToFloat(uint16_t bits) { return _cvtsh_ss(bits); }
/// NaN becomes 0x7fff, the canonical one.
inline uint16_t floatToHalf(float value) {
  if (value != value)
    return 0x7fff;
  return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT);
}
inline float bfloatToFloat(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}
inline uint16_t floatToBfloat(float value) {
  if (value != value)
    return 0x7fff;
  auto bits = std::bit_cast<uint32_t>(value);
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
/// The tensor cores read 19 bits of a tf32 operand.
inline float tf32ToFloat(uint32_t bits) {
  return std::bit_cast<float>(bits & 0xffffe000u);
}
inline float e4m3ToFloat(uint8_t bits) {
  unsigned exponent = (bits >> 3) & 15, mantissa = bits & 7;
  float sign = bits & 0x80 ? -1.0f : 1.0f;
  if (exponent == 15 && mantissa == 7)
    return std::bit_cast<float>(0x7fffffffu);
  if (exponent == 0)
    return sign * float(mantissa) * 0x1p-9f;
  return sign * std::bit_cast<float>((exponent + 120) << 23 | mantissa << 20);
}
inline float e5m2ToFloat(uint8_t bits) {
  return halfToFloat(uint16_t(bits << 8));
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_SMALL_H
