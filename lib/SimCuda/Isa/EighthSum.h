//===- EighthSum.h - How wgmma adds products of 8-bit floats ----*- C++ -*-===//
//
// As an H200 does (bench/sim/h200.json): the products and the accumulator are
// cut towards zero at 13 bits below the largest one's leading bit, added
// exactly, and the sum is cut to 13 fractional bits again.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_EIGHTHSUM_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_EIGHTHSUM_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace kclaw::sim {

/// sum[j] += a[k] b[k * stride + j] of `depth` products, 8 columns at once.
inline void addEighths(float (&sum)[8], const float *a, const float *b,
                       unsigned depth, unsigned stride) {
  constexpr uint32_t exponent = 0x7f800000, kept = 13;
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  // Far below a product of the smallest subnormals: all are zero then.
  constexpr uint32_t least = uint32_t(127 - 64) << 23;
  uint32_t top[8];
  for (unsigned j = 0; j < 8; ++j)
    top[j] = std::max(bits(sum[j]) & exponent, least);
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned j = 0; j < 8; ++j)
      top[j] = std::max(top[j], bits(a[k] * b[k * stride + j]) & exponent);
  float unit[8], scale[8];
  int32_t total[8];
  for (unsigned j = 0; j < 8; ++j) {
    unit[j] = std::bit_cast<float>(top[j] - (kept << 23));
    scale[j] = std::bit_cast<float>((uint32_t(254 + kept) << 23) - top[j]);
    total[j] = int32_t(sum[j] * scale[j]);
  }
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned j = 0; j < 8; ++j)
      total[j] += int32_t(a[k] * b[k * stride + j] * scale[j]);
  for (unsigned j = 0; j < 8; ++j) {
    constexpr uint32_t cut = ~((uint32_t(1) << (23 - kept)) - 1);
    if (top[j] < exponent) {
      sum[j] = std::bit_cast<float>(bits(float(total[j])) & cut) * unit[j];
      continue;
    }
    for (unsigned k = 0; k < depth; ++k) // an infinity or a NaN
      sum[j] += a[k] * b[k * stride + j];
  }
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_EIGHTHSUM_H
