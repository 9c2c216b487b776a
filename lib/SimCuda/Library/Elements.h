//===- Elements.h - Elements of library steps -------------------*- C++ -*-===//
//
// Elements in memory to the type that sums are kept in, and back.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_LIBRARY_ELEMENTS_H
#define KERNELCLAW_LIB_SIMCUDA_LIBRARY_ELEMENTS_H

#include "../Isa/HalfTypes.h"
#include "kernelclaw/Steps/kcl_steps.h"

#include <cmath>

namespace kclaw::sim {

/// A float of which the tensor cores see 10 bits of mantissa: to nearest, ties
/// away from zero (cvt.rna.tf32).
struct Tf32 {
  float bits;
  float value() const {
    auto wide = std::bit_cast<uint32_t>(bits);
    if (std::isfinite(bits))
      wide = (wide + 0x1000) & ~0x1fffu;
    return std::bit_cast<float>(wide);
  }
};
/// Types that are their own value.
template <class T> struct Plain {
  T bits;
  T value() const { return bits; }
  static Plain from(T x) { return {x}; }
};

/// Calls f.template operator()<Element>() with the type of an element; false:
/// there is no such element.
template <class F> bool withElement(int32_t element, F &&f) {
  switch (element) {
  case KCL_F64:
    f.template operator()<Plain<double>>();
    return true;
  case KCL_F32:
    f.template operator()<Plain<float>>();
    return true;
  case KCL_F16:
    f.template operator()<F16>();
    return true;
  case KCL_BF16:
    f.template operator()<BF16>();
    return true;
  case KCL_I8:
    f.template operator()<Plain<int8_t>>();
    return true;
  case KCL_I32:
    f.template operator()<Plain<int32_t>>();
    return true;
  }
  return false;
}

inline uint64_t elementBytes(int32_t element) {
  uint64_t bytes = 0;
  withElement(element, [&]<class E> { bytes = sizeof(E); });
  return bytes;
}

/// Rounded once to the element.
template <class E, class T> E roundedTo(T x) {
  if constexpr (requires { E::fromFloat(0.0f); })
    return E::fromFloat(float(x));
  else
    return E::from(decltype(E::bits)(x));
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_LIBRARY_ELEMENTS_H
