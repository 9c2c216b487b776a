//===- AtomicOps.h - The functions of atom and red --------------*- C++ -*-===//
//
// Each op maps the bits in memory and an operand's bits to new bits.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_ATOMICOPS_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_ATOMICOPS_H

#include "Bind.h"

#include <algorithm>
#include <cmath>
#include <immintrin.h>

namespace kclaw::sim::atomic {

template <class T> using BitsOf = std::make_unsigned_t<T>;

template <class T> struct Add {
  using Bits = BitsOf<T>;
  static Bits apply(Bits a, Bits b) { return Bits(a + b); }
};
template <class T> struct Min {
  using Bits = BitsOf<T>;
  static Bits apply(Bits a, Bits b) { return Bits(std::min(T(a), T(b))); }
};
template <class T> struct Max {
  using Bits = BitsOf<T>;
  static Bits apply(Bits a, Bits b) { return Bits(std::max(T(a), T(b))); }
};
template <class T> struct And {
  using Bits = T;
  static Bits apply(Bits a, Bits b) { return a & b; }
};
template <class T> struct Or {
  using Bits = T;
  static Bits apply(Bits a, Bits b) { return a | b; }
};
template <class T> struct Xor {
  using Bits = T;
  static Bits apply(Bits a, Bits b) { return a ^ b; }
};
template <class T> struct Exchange {
  using Bits = T;
  static Bits apply(Bits, Bits b) { return b; }
};
/// Counts up to b, then starts at 0; down to 0, then starts at b.
struct Increment {
  using Bits = uint32_t;
  static Bits apply(Bits a, Bits b) { return a >= b ? 0 : a + 1; }
};
struct Decrement {
  using Bits = uint32_t;
  static Bits apply(Bits a, Bits b) { return a == 0 || a > b ? b : a - 1; }
};

inline float canonical(float x) {
  return std::isnan(x) ? std::bit_cast<float>(0x7fffffffu) : x;
}

/// In global memory subnormals are flushed, in shared memory not.
template <bool flushes> struct AddF32 {
  using Bits = uint32_t;
  static Bits apply(Bits a, Bits b) {
    auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    float sum = flushes ? flush(flush(x) + flush(y)) : x + y;
    return std::bit_cast<Bits>(canonical(sum));
  }
};
struct AddF64 {
  using Bits = uint64_t;
  static Bits apply(Bits a, Bits b) {
    return std::bit_cast<Bits>(std::bit_cast<double>(a) +
                               std::bit_cast<double>(b));
  }
};

// Two-step rounding is exact here: binary32 has more than twice the bits of
// either half format, plus two.
struct F16 {
  static float wide(uint16_t bits) { return _cvtsh_ss(bits); }
  static uint16_t narrow(float x) {
    return std::isnan(x) ? 0x7fff : uint16_t(_cvtss_sh(x, 0));
  }
};
struct BF16 {
  static float wide(uint16_t bits) {
    return std::bit_cast<float>(uint32_t(bits) << 16);
  }
  static uint16_t narrow(float x) {
    if (std::isnan(x))
      return 0x7fff;
    auto bits = std::bit_cast<uint32_t>(x);
    return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
};

/// A NaN loses against a number; -0 < +0.
template <bool max> float extreme(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) == max ? b : a;
  return (a > b) == max ? a : b;
}

template <class Format> struct AddHalf {
  using Bits = uint16_t;
  static Bits apply(Bits a, Bits b) {
    return Format::narrow(Format::wide(a) + Format::wide(b));
  }
};
template <class Format, bool max> struct ExtremeHalf {
  using Bits = uint16_t;
  static Bits apply(Bits a, Bits b) {
    return Format::narrow(extreme<max>(Format::wide(a), Format::wide(b)));
  }
};
/// Both halves of a word.
template <class Half> struct Packed {
  using Bits = uint32_t;
  static Bits apply(Bits a, Bits b) {
    return uint32_t(Half::apply(uint16_t(a), uint16_t(b))) |
           uint32_t(Half::apply(uint16_t(a >> 16), uint16_t(b >> 16))) << 16;
  }
};

} // namespace kclaw::sim::atomic

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_ATOMICOPS_H
