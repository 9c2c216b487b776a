//===- Swizzle.h - The exchange of address bits in shared memory -*- C++
//-*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_SWIZZLE_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_SWIZZLE_H

#include <cstdint>

namespace kclaw::sim {

/// `width` 32, 64 or 128 bytes: 16-byte chunks of a row of 128 bytes change
/// places by the number of the row, counted from row `base`. 16: no swizzle.
inline uint32_t swizzled(uint32_t offset, unsigned width, unsigned base = 0) {
  uint32_t row = ((offset >> 7) - base) & 7;
  return offset ^ ((row & (width / 16 - 1)) << 4);
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_SWIZZLE_H
