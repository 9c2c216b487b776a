// cuda_bf16.h for host tests: round to nearest even, NaN kept.
#pragma once
#include <stdint.h>
#include <string.h>
struct __nv_bfloat16 {
  uint16_t bits;
  __nv_bfloat16() = default;
  __nv_bfloat16(float value) {
    uint32_t word;
    memcpy(&word, &value, 4);
    if (value != value)
      bits = 0x7fff;
    else
      bits = uint16_t((word + 0x7fff + ((word >> 16) & 1)) >> 16);
  }
  operator float() const {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &word, 4);
    return value;
  }
};
