//===- Small.h - Operands of matrix instructions as f32 ---------*- C++ -*-===//
//
// What HalfTypes.h has not got. Exact; without the loops of Formats.h.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_SMALL_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_SMALL_H

#include "HalfTypes.h"

namespace kclaw::sim {

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
  return F16{uint16_t(bits << 8)}.value();
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_SMALL_H
