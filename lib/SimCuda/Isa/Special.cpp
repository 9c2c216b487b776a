//===- Special.cpp - rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh -----------===//
//
// The exact forms round as they say. The approximations of the special
// function unit are modelled by the instruction sequence that ptxas makes
// around it, with the unit's own table replaced by a rounded exact value.
//
//===----------------------------------------------------------------------===//
#include "FloatOps.h"

#include <numbers>

namespace kclaw::sim {

namespace {

template <FloatOp op> void bindExactUnary(Builder &b) {
  FloatForm form{op, b.form.type(), b.form.has("ftz"), false};
  Rounding mode = roundingOf(b.form);
  bindSame(b,
           mode == Rounding::Nearest ? nearestFloat(form)
                                     : roundedFloat(form, mode),
           1);
}

/// An f32 function computed in double; ftz on both sides.
template <class F, bool ftz> struct Approx {
  float operator()(float x) const {
    if constexpr (ftz)
      x = flush(x);
    auto d = float(F{}(double(x)));
    return canonical(ftz ? flush(d) : d);
  }
};
template <auto f> void bindApprox(Builder &b) {
  using F = decltype(f);
  bindSame(b,
           b.form.has("ftz") ? runUnary<float, Approx<F, true>>
                             : runUnary<float, Approx<F, false>>,
           1);
}
constexpr auto rcp = [](double x) { return 1.0 / x; };
constexpr auto sqrt = [](double x) { return std::sqrt(x); };
constexpr auto rsqrt = [](double x) { return 1.0 / std::sqrt(x); };
constexpr auto lg2 = [](double x) { return double(std::log2(float(x))); };
constexpr auto tanh = [](double x) { return double(std::tanh(float(x))); };

/// The unit takes turns of x * (1 / 2 pi), rounded to zero.
template <bool cosine> struct Turns {
  float operator()(float x) const {
    constexpr float perTurn = 0.15915494f;
    double exact = double(x) * double(perTurn);
    auto turns = float(exact);
    if (std::fabs(double(turns)) > std::fabs(exact))
      turns = std::nextafter(turns, 0.0f);
    double angle = (double(turns) - std::rint(double(turns))) * 2 *
                   std::numbers::pi; // NaN for infinity
    return canonical(float(cosine ? std::cos(angle) : std::sin(angle)));
  }
};
template <bool cosine, bool ftz> struct SinCos {
  float operator()(float x) const {
    float d = Turns<cosine>{}(ftz ? flush(x) : x);
    return ftz ? flush(d) : d;
  }
};
template <bool cosine> void bindSinCos(Builder &b) {
  bindSame(b,
           b.form.has("ftz") ? runUnary<float, SinCos<cosine, true>>
                             : runUnary<float, SinCos<cosine, false>>,
           1);
}

/// 2^x as n + f, f in [-1/2, 1/2], and a polynomial for 2^f: vector code.
/// Within 1 ulp.
template <bool ftz> struct Exp2 {
  float operator()(float x) const {
    // Beyond the range the result is 0 or infinity anyhow.
    double clamped = x > 200.0f ? 200.0 : x < -200.0f ? -200.0 : double(x);
    double whole = std::rint(clamped);
    double f = (clamped - whole) * std::numbers::ln2;
    double p = 1.0 / 5040;
    for (double c : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
      p = p * f + c;
    auto exponent = uint64_t(int64_t(int32_t(whole)) + 1023) << 52;
    auto d = float(p * std::bit_cast<double>(exponent));
    d = x != x ? x : d;
    return canonical(ftz ? flush(d) : d);
  }
};
void bindExp2(Builder &b) {
  bindSame(b,
           b.form.has("ftz") ? runUnary<float, Exp2<true>>
                             : runUnary<float, Exp2<false>>,
           1);
}

// The f64 forms read and write the upper word; the lower is 0.
double upperWord(double x) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~0xffffffffull);
}
double flushDouble(double x) {
  auto bits = std::bit_cast<uint64_t>(x);
  return bits << 1 >> 53 ? x : std::bit_cast<double>(bits >> 63 << 63);
}
double quietNan() { return std::bit_cast<double>(0x7fffffff00000000ull); }
template <class F> struct Upper {
  double operator()(double x) const {
    double d = F{}(flushDouble(upperWord(x)));
    return d != d ? quietNan() : flushDouble(upperWord(d));
  }
};
template <auto f> void bindUpper(Builder &b) {
  bindSame(b, runUnary<double, Upper<decltype(f)>>, 1);
}
void bindRsqrt64(Builder &b) {
  bindSame(b, runUnary<double, decltype(rsqrt)>, 1);
}

constexpr InstClass kind = InstClass::Special;
constexpr Row rows[] = {
    {"rcp.{rn,rz,rm,rp}.ftz?.f32", kind, bindExactUnary<FloatOp::Rcp>},
    {"rcp.{rn,rz,rm,rp}.f64", InstClass::Float64, bindExactUnary<FloatOp::Rcp>},
    {"sqrt.{rn,rz,rm,rp}.ftz?.f32", kind, bindExactUnary<FloatOp::Sqrt>},
    {"sqrt.{rn,rz,rm,rp}.f64", InstClass::Float64,
     bindExactUnary<FloatOp::Sqrt>},
    {"rcp.approx.ftz?.f32", kind, bindApprox<rcp>, "1 ulp"},
    {"sqrt.approx.ftz?.f32", kind, bindApprox<sqrt>, "relative 2^-23"},
    {"rsqrt.approx.ftz?.f32", kind, bindApprox<rsqrt>, "relative 2^-22.9"},
    {"lg2.approx.ftz?.f32", kind, bindApprox<lg2>,
     "absolute 2^-22 in [0.5, 2], else relative 2^-22"},
    {"ex2.approx.ftz?.f32", kind, bindExp2, "2 ulp"},
    {"sin.approx.ftz?.f32", kind, bindSinCos<false>,
     "absolute 2^-20.5 in [-pi, pi]"},
    {"cos.approx.ftz?.f32", kind, bindSinCos<true>,
     "absolute 2^-20.5 in [-pi, pi]"},
    // .f32.ftz: an order that cuda_fp16.h has.
    {"rcp.approx.f32.ftz", kind, bindApprox<rcp>, "1 ulp"},
    {"rsqrt.approx.f32.ftz", kind, bindApprox<rsqrt>, "relative 2^-22.9"},
    {"lg2.approx.f32.ftz", kind, bindApprox<lg2>,
     "absolute 2^-22 in [0.5, 2], else relative 2^-22"},
    {"ex2.approx.f32.ftz", kind, bindExp2, "2 ulp"},
    {"tanh.approx.f32", kind, bindApprox<tanh>, "relative 2^-11"},
    {"rcp.approx.ftz.f64", InstClass::Special, bindUpper<rcp>,
     "upper word only: relative 2^-20"},
    {"rsqrt.approx.ftz.f64", InstClass::Special, bindUpper<rsqrt>,
     "upper word only: relative 2^-20"},
    {"rsqrt.approx.f64", InstClass::Special, bindRsqrt64, "2 ulp"},
};

} // namespace

std::span<const Row> specialRows() { return rows; }

} // namespace kclaw::sim
