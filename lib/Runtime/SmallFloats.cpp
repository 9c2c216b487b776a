//===- SmallFloats.cpp - Conversions that libgcc 12 lacks -----------------===//
//
// LLVM calls __truncdfbf2 for a cast from f64 to bf16; older libgcc has none.
// Rounds once, to nearest even: through f32 rounded to odd.
//
//===----------------------------------------------------------------------===//
#include <bit>
#include <cmath>
#include <cstdint>

/// Bits of `value` in f32, rounded to odd, so that a second rounding is exact.
static uint32_t floatBitsRoundedToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value)
    return std::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value))
    nearest = std::nextafter(nearest, 0.0f);
  return std::bit_cast<uint32_t>(nearest) | 1;
}

/// bf16 comes back in the low half of xmm0, as _Float16 does.
extern "C" _Float16 kclTruncateToBf16(double value) __asm__("__truncdfbf2");
extern "C" _Float16 kclTruncateToBf16(double value) {
  if (std::isnan(value))
    return std::bit_cast<_Float16>(static_cast<uint16_t>(0x7fc0));
  uint32_t bits = floatBitsRoundedToOdd(value);
  bits += 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<_Float16>(static_cast<uint16_t>(bits >> 16));
}
