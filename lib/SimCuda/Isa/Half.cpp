//===- Half.cpp - f16 and bf16 arithmetic, alone and in pairs -------------===//
#include "HalfTypes.h"

#include "Bind.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

enum class Clamp : uint8_t { None, Sat, Relu };

template <class H> bool isNan(H x) { return (x.bits & 0x7fff) > H::exponent; }
template <class H> H canonicalHalf(H x) {
  return {isNan(x) ? halfNan : x.bits};
}

// The operations on values. A sum or product of two f16 rounds to float and
// then to f16 as if once; a bf16 product may be subnormal in float, so double.
struct Add {
  template <class H> static H apply(H a, H b, H) {
    return H::fromFloat(a.value() + b.value());
  }
};
struct Sub {
  template <class H> static H apply(H a, H b, H) {
    return H::fromFloat(a.value() - b.value());
  }
};
struct Mul {
  static double exact(F16 a, F16 b, F16) {
    return double(a.value()) * double(b.value());
  }
  static F16 apply(F16 a, F16 b, F16) {
    return F16::fromFloat(a.value() * b.value());
  }
  static BF16 apply(BF16 a, BF16 b, BF16) {
    return BF16::from(double(a.value()) * double(b.value()));
  }
};
struct Fma {
  static double exact(F16 a, F16 b, F16 c) {
    return double(a.value()) * double(b.value()) + double(c.value());
  }
  static F16 apply(F16 a, F16 b, F16 c) { return F16::from(exact(a, b, c)); }
  /// The exponents lie so far apart that the sum must be rounded to odd.
  static BF16 apply(BF16 a, BF16 b, BF16 c) {
    double product = double(a.value()) * double(b.value()), addend = c.value();
    double sum = product + addend;
    double part = sum - product;
    double error = (product - (sum - part)) + (addend - part);
    auto bits = std::bit_cast<uint64_t>(sum);
    bool inexact = error != 0 && std::isfinite(sum) && !(bits & 1);
    bits += inexact ? (error > 0) == (sum > 0) ? 1 : ~uint64_t(0) : 0;
    return BF16::from(std::bit_cast<double>(bits));
  }
};
struct Neg {
  template <class H> static H apply(H a, H, H) {
    return canonicalHalf(H{uint16_t(a.bits ^ 0x8000)});
  }
};
struct Abs {
  template <class H> static H apply(H a, H, H) {
    return canonicalHalf(H{uint16_t(a.bits & 0x7fff)});
  }
};

/// Halves in the order of their values, -0 below +0; NaN is elsewhere.
template <class H> int32_t order(H x) {
  auto signedBits = int16_t(x.bits);
  return signedBits < 0 ? ~int32_t(x.bits & 0x7fff) : signedBits;
}

template <bool least, bool nan, bool xorSign> struct Extreme {
  template <class H> static H apply(H a, H b, H) {
    auto sign = uint16_t((a.bits ^ b.bits) & 0x8000);
    if (xorSign)
      a.bits &= 0x7fff, b.bits &= 0x7fff;
    bool aIsNan = isNan(a), bIsNan = isNan(b);
    H d = (order(a) < order(b)) == least ? a : b;
    d = aIsNan ? b : bIsNan ? a : d;
    if (xorSign)
      d.bits |= sign;
    return {nan                ? aIsNan || bIsNan ? halfNan : d.bits
            : aIsNan && bIsNan ? halfNan
                               : d.bits};
  }
};

/// The unit truncates.
struct Exp2 {
  template <class H> static H apply(H a, H, H) {
    return H::truncated(std::exp2(a.value()));
  }
};
struct Tanh {
  template <class H> static H apply(H a, H, H) {
    return H::fromFloat(std::tanh(a.value()));
  }
};

template <class H, class Op, bool ftz, Clamp clamp>
uint16_t element(uint32_t a, uint32_t b, uint32_t c) {
  H x{uint16_t(a)}, y{uint16_t(b)}, z{uint16_t(c)};
  if constexpr (ftz)
    x = flushHalf(x), y = flushHalf(y), z = flushHalf(z);
  H d = Op::apply(x, y, z);
  if constexpr (ftz)
    d = flushHalf(d);
  if constexpr (clamp == Clamp::Sat) // NaN -> +0
    d.bits = isNan(d) || d.bits & 0x8000 ? 0 : std::min(d.bits, H::one);
  if constexpr (clamp == Clamp::Relu)
    d.bits = d.bits & 0x8000 ? 0 : d.bits;
  return d.bits;
}

/// Under .ftz, as in FloatOps.h: what rounds to the smallest normal number only
/// because it was subnormal is 0. Rare, so not in `element`.
constexpr uint32_t leastNormal = 0x0400;
template <class Op>
uint16_t careful(uint16_t d, uint32_t a, uint32_t b, uint32_t c) {
  F16 x{uint16_t(a)}, y{uint16_t(b)}, z{uint16_t(c)};
  double exact = Op::exact(flushHalf(x), flushHalf(y), flushHalf(z));
  bool below = std::fabs(exact) < 0x1p-14 * (1 - 0x1p-12);
  return (d & 0x7fff) == leastNormal && below ? d & 0x8000 : d;
}

/// Sources that the operation has not got are `a` once more.
template <class H, class Op, bool ftz, Clamp clamp, class T>
void runHalf(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  const T *b = i.b == noRef ? a : w.in<T>(i.b);
  const T *c = i.c == noRef ? a : w.in<T>(i.c);
  auto both = [](auto &&half) {
    T d = half(0);
    if constexpr (sizeof(T) == 4)
      d |= uint32_t(half(16)) << 16;
    return d;
  };
  auto one = [&](unsigned l) {
    return both([&](unsigned shift) {
      return element<H, Op, ftz, clamp>(a[l] >> shift, b[l] >> shift,
                                        c[l] >> shift);
    });
  };
  if constexpr (ftz && requires { Op::exact(H{}, H{}, H{}); }) {
    T value[lanes];
    uint32_t rare = 0;
    for (unsigned l = 0; l < lanes; ++l) {
      value[l] = one(l);
      rare |= (value[l] & 0x7fff) == leastNormal;
      rare |= (uint32_t(value[l]) >> 16 & 0x7fff) == leastNormal;
    }
    for (unsigned l = 0; rare && l < lanes; ++l)
      value[l] = both([&](unsigned shift) {
        return careful<Op>(uint16_t(value[l] >> shift), a[l] >> shift,
                           b[l] >> shift, c[l] >> shift);
      });
    eachLane(w, w.out<T>(i.d), [&](unsigned l) { return value[l]; });
  } else {
    eachLane(w, w.out<T>(i.d), one);
  }
}

template <class H, class Op, bool ftz, Clamp clamp>
Handler chooseWidth(Type type) {
  return bits(type) == 16 ? runHalf<H, Op, ftz, clamp, uint16_t>
                          : runHalf<H, Op, ftz, clamp, uint32_t>;
}
template <class H, class Op, Clamp clamp>
Handler chooseFlush(Type type, bool ftz) {
  return ftz ? chooseWidth<H, Op, true, clamp>(type)
             : chooseWidth<H, Op, false, clamp>(type);
}
template <class Op, Clamp clamp> Handler chooseType(Type type, bool ftz) {
  return type == Type::F16 || type == Type::F16x2
             ? chooseFlush<F16, Op, clamp>(type, ftz)
             : chooseFlush<BF16, Op, clamp>(type, ftz);
}

template <class Op, unsigned sources> void bindHalf(Builder &b) {
  Type type = b.form.type();
  bool ftz = b.form.has("ftz");
  Handler handler = chooseType<Op, Clamp::None>(type, ftz);
  if constexpr (sources > 1) {
    if (b.form.has("sat"))
      handler = chooseType<Op, Clamp::Sat>(type, ftz);
    if (b.form.has("relu"))
      handler = chooseType<Op, Clamp::Relu>(type, ftz);
  }
  bindSame(b, handler, sources);
}

template <bool least> void bindExtreme(Builder &b) {
  bool nan = b.form.has("NaN"), sign = b.form.has("xorsign");
  auto bind = nan    ? sign ? bindHalf<Extreme<least, true, true>, 2>
                            : bindHalf<Extreme<least, true, false>, 2>
              : sign ? bindHalf<Extreme<least, false, true>, 2>
                     : bindHalf<Extreme<least, false, false>, 2>;
  bind(b);
}

constexpr InstClass kind = InstClass::Float16;
constexpr Row rows[] = {
    {"add.rn?.ftz?.sat?.{f16,f16x2}", kind, bindHalf<Add, 2>},
    {"sub.rn?.ftz?.sat?.{f16,f16x2}", kind, bindHalf<Sub, 2>},
    {"mul.rn?.ftz?.sat?.{f16,f16x2}", kind, bindHalf<Mul, 2>},
    {"fma.rn.ftz?.{sat,relu}?.{f16,f16x2}", kind, bindHalf<Fma, 3>},
    {"add.rn?.{bf16,bf16x2}", kind, bindHalf<Add, 2>},
    {"sub.rn?.{bf16,bf16x2}", kind, bindHalf<Sub, 2>},
    {"mul.rn?.{bf16,bf16x2}", kind, bindHalf<Mul, 2>},
    {"fma.rn.relu?.{bf16,bf16x2}", kind, bindHalf<Fma, 3>},
    {"neg.ftz?.{f16,f16x2,bf16,bf16x2}", kind, bindHalf<Neg, 1>},
    {"abs.ftz?.{f16,f16x2,bf16,bf16x2}", kind, bindHalf<Abs, 1>},
    {"min.ftz?.NaN?.{f16,f16x2}", kind, bindExtreme<true>},
    {"min.ftz?.NaN?.xorsign.abs.{f16,f16x2}", kind, bindExtreme<true>},
    {"max.ftz?.NaN?.{f16,f16x2}", kind, bindExtreme<false>},
    {"max.ftz?.NaN?.xorsign.abs.{f16,f16x2}", kind, bindExtreme<false>},
    {"min.NaN?.{bf16,bf16x2}", kind, bindExtreme<true>},
    {"min.NaN?.xorsign.abs.{bf16,bf16x2}", kind, bindExtreme<true>},
    {"max.NaN?.{bf16,bf16x2}", kind, bindExtreme<false>},
    {"max.NaN?.xorsign.abs.{bf16,bf16x2}", kind, bindExtreme<false>},
    {"ex2.approx.{f16,f16x2}", InstClass::Special, bindHalf<Exp2, 1>,
     "relative 2^-9.9"},
    {"ex2.approx.ftz.{bf16,bf16x2}", InstClass::Special, bindHalf<Exp2, 1>,
     "relative 2^-7"},
    {"tanh.approx.{f16,f16x2}", InstClass::Special, bindHalf<Tanh, 1>,
     "absolute 2^-10.987"},
    {"tanh.approx.{bf16,bf16x2}", InstClass::Special, bindHalf<Tanh, 1>,
     "absolute 2^-8"},
};

} // namespace

std::span<const Row> halfRows() { return rows; }

} // namespace kclaw::sim
