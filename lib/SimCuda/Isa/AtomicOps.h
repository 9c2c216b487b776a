//===- AtomicOps.h - The functions of atom, red and redux -------*- C++ -*-===//
//
// Asynchronous reductions (Reduce.cpp) share those of integers. Each op maps
// the bits in memory and an operand's bits to new bits.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_ATOMICOPS_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_ATOMICOPS_H

#include "Bind.h"
#include "HalfTypes.h"

#include <algorithm>
#include <cmath>

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
template <class T> struct Increment {
  using Bits = BitsOf<T>;
  static Bits apply(Bits a, Bits b) { return T(a) >= T(b) ? 0 : a + 1; }
};
template <class T> struct Decrement {
  using Bits = BitsOf<T>;
  static Bits apply(Bits a, Bits b) {
    return a == 0 || T(a) > T(b) ? b : a - 1;
  }
};

/// In global memory subnormals are flushed, in shared memory not.
template <bool flushes> struct AddF32 {
  using Bits = uint32_t;
  static Bits apply(Bits a, Bits b) {
    auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    float sum = flushes ? flush(flush(x) + flush(y)) : x + y;
    return std::bit_cast<Bits>(canonical(sum));
  }
};
/// NaNs keep their payload. In shared memory that of memory comes first and
/// becomes quiet, as add.f64 has it; elsewhere the operand's, as it is.
template <bool global> struct AddF64 {
  using Bits = uint64_t;
  static bool isNan(Bits x) { return (x & ~sign) > infinity; }
  static Bits apply(Bits a, Bits b) {
    if (isNan(a) || isNan(b)) {
      Bits first = global ? b : a, second = global ? a : b;
      return (isNan(first) ? first : second) | (global ? 0 : quiet);
    }
    double sum = std::bit_cast<double>(a) + std::bit_cast<double>(b);
    return std::isnan(sum) ? sign | infinity | quiet : std::bit_cast<Bits>(sum);
  }

private:
  static constexpr Bits sign = Bits(1) << 63, infinity = Bits(0x7ff) << 52,
                        quiet = Bits(1) << 51;
};

/// A NaN loses against a number; -0 < +0.
template <bool max> float extreme(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) == max ? b : a;
  return (a > b) == max ? a : b;
}

// Two-step rounding is exact here: binary32 has more than twice the bits of
// either half format, plus two.
template <class H> struct AddHalf {
  using Bits = uint16_t;
  static Bits apply(Bits a, Bits b) {
    return H::fromFloat(H{a}.value() + H{b}.value()).bits;
  }
};
template <class H, bool max> struct ExtremeHalf {
  using Bits = uint16_t;
  static Bits apply(Bits a, Bits b) {
    return H::fromFloat(extreme<max>(H{a}.value(), H{b}.value())).bits;
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
