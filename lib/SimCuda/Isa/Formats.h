//===- Formats.h - Rounding a number to a float format ----------*- C++ -*-===//
//
// In integers, so that every format, mode and source width takes one path with
// one rounding. f16, bf16, tf32, the 8-bit formats, f32, f64.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_FORMATS_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_FORMATS_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace kclaw::sim {

enum class RoundTo : uint8_t { Even, Zero, Down, Up, Away };

struct Format {
  int mantissaBits; ///< without the hidden one
  int exponentBits;
  uint64_t largest;  ///< bits of the largest finite value
  uint64_t infinity; ///< what overflow gives
  uint64_t nan;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr uint64_t sign() const {
    return uint64_t(1) << (mantissaBits + exponentBits);
  }
};

inline constexpr Format f16Format = {10, 5, 0x7bff, 0x7c00, 0x7fff};
inline constexpr Format bf16Format = {7, 8, 0x7f7f, 0x7f80, 0x7fff};
inline constexpr Format tf32Format = {10, 8, 0x3fbff, 0x3fc00, 0x3ffff};
inline constexpr Format f32Format = {23, 8, 0x7f7fffff, 0x7f800000, 0x7fffffff};
inline constexpr Format f64Format = {52, 11, 0x7fefffffffffffff,
                                     0x7ff0000000000000, 0x7fffffffffffffff};
inline constexpr Format e4m3Format = {3, 4, 0x7e, 0x7f, 0x7f};
inline constexpr Format e5m2Format = {2, 5, 0x7b, 0x7c, 0x7f};

/// +-m * 2^e in the format.
inline uint64_t roundTo(const Format &format, bool negative, uint64_t m, int e,
                        RoundTo mode) {
  uint64_t sign = negative ? format.sign() : 0;
  if (m == 0)
    return sign;
  int least = 1 - format.bias(); // exponent of the smallest normal
  int exponent = e + 63 - std::countl_zero(m);
  int scale = exponent > least ? exponent : least;
  int shift = scale - format.mantissaBits - e; // bits that fall away
  uint64_t kept = shift <= 0 ? m << -shift : shift < 64 ? m >> shift : 0;
  bool up = false;
  if (shift > 0) {
    uint64_t rest = shift < 64 ? m & ((uint64_t(1) << shift) - 1) : m;
    uint64_t half = shift <= 64 ? uint64_t(1) << (shift - 1) : 0;
    bool above = shift <= 64 && rest > half, tie = shift <= 64 && rest == half;
    up = mode == RoundTo::Even   ? above || (tie && (kept & 1))
         : mode == RoundTo::Away ? above || tie
         : mode == RoundTo::Up   ? rest && !negative
         : mode == RoundTo::Down ? rest && negative
                                 : false;
  }
  uint64_t bits = 0;
  if (scale <= format.bias() + 1)
    bits = (uint64_t(scale - least) << format.mantissaBits) + kept + up;
  if (scale <= format.bias() + 1 && bits <= format.largest)
    return sign | bits;
  bool finite = mode == RoundTo::Zero || (mode == RoundTo::Up && negative) ||
                (mode == RoundTo::Down && !negative);
  return sign | (finite ? format.largest : format.infinity);
}

/// A double; NaN gives the format's.
inline uint64_t roundTo(const Format &format, double x, RoundTo mode) {
  auto bits = std::bit_cast<uint64_t>(x);
  bool negative = bits >> 63;
  auto exponent = int((bits >> 52) & 0x7ff);
  uint64_t m = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 0x7ff)
    return m ? format.nan : (negative ? format.sign() : 0) | format.infinity;
  if (exponent)
    return roundTo(format, negative, m | (uint64_t(1) << 52), exponent - 1075,
                   mode);
  return roundTo(format, negative, m, -1074, mode);
}

/// Exact.
inline double valueOf(const Format &format, uint64_t bits) {
  uint64_t magnitude = bits & (format.sign() - 1);
  double sign = bits & format.sign() ? -1.0 : 1.0;
  if (magnitude > format.largest)
    return magnitude == format.infinity && format.infinity != format.nan
               ? sign * INFINITY
               : NAN;
  auto exponent = int(magnitude >> format.mantissaBits);
  uint64_t m = magnitude & ((uint64_t(1) << format.mantissaBits) - 1);
  if (exponent)
    m |= uint64_t(1) << format.mantissaBits;
  else
    exponent = 1;
  return sign *
         std::ldexp(double(m), exponent - format.bias() - format.mantissaBits);
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_FORMATS_H
