//===- EighthSum.h - How wgmma adds products of 8-bit floats ----*- C++ -*-===//
//
// As an H200 does (bench/sim/h200.json): the products and the accumulator are
// cut towards zero at 13 bits below the largest exponent, added exactly, and a
// sum in f32 is cut to 13 fractional bits again. A product's exponent is that
// of its factors added, whatever their mantissas; subnormal factors have the
// least one of their format.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_EIGHTHSUM_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_EIGHTHSUM_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace kclaw::sim {

/// sum[j] += a[k] b[k * stride + j] of `depth` products, 8 columns at once.
/// leastA, leastB: exponents of the subnormals of the two formats. `cuts`: the
/// sum as well, as where it is not a half.
template <int leastA, int leastB>
inline void addEighths(float (&sum)[8], const float *a, const float *b,
                       unsigned depth, unsigned stride, bool cuts) {
  constexpr uint32_t exponent = 0x7f800000, kept = 13;
  constexpr auto field = [](int e) { return uint32_t(127 + e) << 23; };
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  auto above = [&](float x, uint32_t least) {
    return std::max(bits(x) & exponent, least);
  };
  uint32_t top[8];
  for (unsigned j = 0; j < 8; ++j) // far below all products: they are zero
    top[j] = above(sum[j], field(-64));
  for (unsigned k = 0; k < depth; ++k) {
    const uint32_t other = above(a[k], field(leastA)) - field(0);
    for (unsigned j = 0; j < 8; ++j) {
      float x = b[k * stride + j];
      uint32_t both = above(x, field(leastB)) + other;
      top[j] = std::max(top[j], a[k] * x == 0 ? 0 : both);
    }
  }
  float unit[8], scale[8];
  int32_t total[8];
  for (unsigned j = 0; j < 8; ++j) {
    top[j] = std::min(top[j], exponent);
    unit[j] = std::bit_cast<float>(top[j] - (kept << 23));
    scale[j] = std::bit_cast<float>(field(127 + kept) - top[j]);
    total[j] = int32_t(sum[j] * scale[j]);
  }
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned j = 0; j < 8; ++j)
      total[j] += int32_t(a[k] * b[k * stride + j] * scale[j]);
  const uint32_t mask = cuts ? ~((uint32_t(1) << (23 - kept)) - 1) : ~0u;
  for (unsigned j = 0; j < 8; ++j) {
    if (top[j] < exponent) {
      sum[j] = std::bit_cast<float>(bits(float(total[j])) & mask) * unit[j];
      continue;
    }
    for (unsigned k = 0; k < depth; ++k) // an infinity or a NaN
      sum[j] += a[k] * b[k * stride + j];
  }
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_EIGHTHSUM_H
