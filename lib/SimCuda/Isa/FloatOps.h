//===- FloatOps.h - f32, f64 and f32x2 arithmetic in one rounding mode ----===//
//
// The handlers are templates over the rounding mode so that those of the
// directed modes are code of their own, compiled with -frounding-math
// (FloatRounded.cpp), and those of rn stay vector code.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_FLOATOPS_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_FLOATOPS_H

#include "Bind.h"

#include <cmath>
#include <type_traits>

namespace kclaw::sim {

/// As MXCSR numbers them.
enum class Rounding : uint8_t { Nearest, Down, Up, Zero };

enum class FloatOp : uint8_t { Add, Sub, Mul, Fma, Div, Rcp, Sqrt };

struct FloatForm {
  FloatOp op = FloatOp::Add;
  Type type = Type::F32;
  bool ftz = false, sat = false;
};

/// What `form` runs, rounding to nearest even.
Handler nearestFloat(FloatForm form);
/// The same in another mode.
Handler roundedFloat(FloatForm form, Rounding mode);

/// {rn,rz,rm,rp}, or nothing, which is rn.
Rounding roundingOf(const Form &form);

namespace floatops {

template <Rounding mode> struct Scope {
  unsigned saved = 0;
  Scope() {
    if constexpr (mode != Rounding::Nearest) {
      saved = _mm_getcsr();
      _mm_setcsr((saved & ~0x6000u) | unsigned(mode) << 13);
      asm volatile("" ::: "memory"); // arithmetic reads and writes columns
    }
  }
  ~Scope() {
    if constexpr (mode != Rounding::Nearest) {
      asm volatile("" ::: "memory");
      _mm_setcsr(saved);
    }
  }
};

struct Two {
  float low, high;
};

template <FloatOp op, class T> T compute(T a, T b, T c) {
  if constexpr (op == FloatOp::Add)
    return a + b;
  else if constexpr (op == FloatOp::Sub)
    return a - b;
  else if constexpr (op == FloatOp::Mul)
    return a * b;
  else if constexpr (op == FloatOp::Fma)
    return std::fma(a, b, c);
  else if constexpr (op == FloatOp::Div)
    return a / b;
  else if constexpr (op == FloatOp::Rcp)
    return T(1) / a;
  else
    return std::sqrt(a);
}

/// .ftz looks at the result as an unbounded exponent would have it: what only
/// the rounding of a subnormal made the smallest normal is 0. `d` is that
/// result, +-2^-126; is the unbounded one smaller?
template <FloatOp op> bool belowNormal(float a, float b, float c) {
  if constexpr (op == FloatOp::Mul || op == FloatOp::Fma) {
    bool first = std::fabs(a) < std::fabs(b);
    float small = first ? a : b, large = first ? b : a;
    return std::fabs(compute<op>(small * 0x1p64f, large, c * 0x1p64f)) <
           0x1p-62f;
  } else if constexpr (op == FloatOp::Div) {
    return std::fabs(a) < std::fabs(b) * 0x1p-126f;
  } else if constexpr (op == FloatOp::Rcp) {
    return 1 < std::fabs(a) * 0x1p-126f;
  } else {
    return false; // sums of normal numbers near it are exact
  }
}
/// One element: subnormals flushed, saturated, NaN the canonical one. All but
/// what isRare tells, so that it stays vector code.
template <FloatOp op, bool ftz, bool sat>
float finish(float a, float b, float c) {
  if constexpr (ftz)
    a = flush(a), b = flush(b), c = flush(c);
  float d = compute<op>(a, b, c);
  if constexpr (ftz)
    d = flush(d);
  if constexpr (sat)
    return saturate(d);
  return canonical(d);
}
template <FloatOp op, bool ftz, bool sat>
double finish(double a, double b, double c) {
  return compute<op>(a, b, c);
}
template <FloatOp op, bool ftz, bool sat> Two finish(Two a, Two b, Two c) {
  return {finish<op, ftz, sat>(a.low, b.low, c.low),
          finish<op, ftz, sat>(a.high, b.high, c.high)};
}

/// Whether .ftz may have to look again at a result: sums of normal numbers are
/// exact near the smallest one, and square roots are far from it.
constexpr bool rounds(FloatOp op) {
  return op >= FloatOp::Mul && op != FloatOp::Sqrt;
}
/// Results that `careful` has to look at: the smallest normal number, NaN.
template <FloatOp op, bool ftz> uint32_t isRare(float d) {
  auto size = std::bit_cast<uint32_t>(d) & 0x7fffffffu;
  return ftz && rounds(op) ? size == 0x00800000u : 0;
}
template <FloatOp op, bool> uint64_t isRare(double d) {
  return op <= FloatOp::Fma ? d != d : 0;
}
template <FloatOp op, bool ftz> uint32_t isRare(Two d) {
  return isRare<op, ftz>(d.low) | isRare<op, ftz>(d.high);
}

template <FloatOp op, bool ftz>
float careful(float a, float b, float c, float d) {
  bool rare = isRare<op, ftz>(d);
  return rare && belowNormal<op>(flush(a), flush(b), flush(c))
             ? std::copysign(0.0f, d)
             : d;
}
/// The NaN of b comes first, then that of c, then that of a.
template <FloatOp op, bool>
double careful(double a, double b, double c, double d) {
  (void)a;
  if (b != b)
    return b + b;
  return op == FloatOp::Fma && c != c ? c + c : d;
}
template <FloatOp op, bool ftz> Two careful(Two a, Two b, Two c, Two d) {
  return {careful<op, ftz>(a.low, b.low, c.low, d.low),
          careful<op, ftz>(a.high, b.high, c.high, d.high)};
}

/// Sources that the operation has not got are `a` once more.
template <Rounding mode, class T, FloatOp op, bool ftz, bool sat>
void run(Warp &w, const Inst &i) {
  Scope<mode> scope;
  const T *a = w.in<T>(i.a);
  const T *b = op == FloatOp::Rcp || op == FloatOp::Sqrt ? a : w.in<T>(i.b);
  const T *c = op == FloatOp::Fma ? w.in<T>(i.c) : a;
  if constexpr (std::is_same_v<T, double> ? op > FloatOp::Fma
                                          : !(ftz && rounds(op)))
    return eachLane(w, w.out<T>(i.d), [&](unsigned l) { // nothing is rare
      return finish<op, ftz, sat>(a[l], b[l], c[l]);
    });
  T value[lanes];
  decltype(isRare<op, ftz>(T{})) rare = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    value[l] = finish<op, ftz, sat>(a[l], b[l], c[l]);
    rare |= isRare<op, ftz>(value[l]);
  }
  if (rare)
    for (unsigned l = 0; l < lanes; ++l)
      value[l] = careful<op, ftz>(a[l], b[l], c[l], value[l]);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) { return value[l]; });
}

template <Rounding mode, FloatOp op> Handler choose(const FloatForm &form) {
  if (form.type == Type::F64)
    return run<mode, double, op, false, false>;
  if constexpr (op <= FloatOp::Fma) {
    if (form.type == Type::F32x2)
      return form.ftz ? run<mode, Two, op, true, false>
                      : run<mode, Two, op, false, false>;
    if (form.sat)
      return form.ftz ? run<mode, float, op, true, true>
                      : run<mode, float, op, false, true>;
  }
  return form.ftz ? run<mode, float, op, true, false>
                  : run<mode, float, op, false, false>;
}

template <Rounding mode> Handler chooseOp(const FloatForm &form) {
  switch (form.op) {
  case FloatOp::Add:
    return choose<mode, FloatOp::Add>(form);
  case FloatOp::Sub:
    return choose<mode, FloatOp::Sub>(form);
  case FloatOp::Mul:
    return choose<mode, FloatOp::Mul>(form);
  case FloatOp::Fma:
    return choose<mode, FloatOp::Fma>(form);
  case FloatOp::Div:
    return choose<mode, FloatOp::Div>(form);
  case FloatOp::Rcp:
    return choose<mode, FloatOp::Rcp>(form);
  default:
    return choose<mode, FloatOp::Sqrt>(form);
  }
}

} // namespace floatops
} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_FLOATOPS_H
