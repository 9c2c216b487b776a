// cuda_fp16.h for host tests: the conversions generated kernels use.
#pragma once
struct __half {
  _Float16 bits;
  __half() = default;
  __half(float value) : bits(_Float16(value)) {}
  operator float() const { return float(bits); }
};
