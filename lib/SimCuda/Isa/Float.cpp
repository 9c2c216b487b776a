//===- Float.cpp - f32, f64 and f32x2 arithmetic --------------------------===//
#include "FloatOps.h"

namespace kclaw::sim {

Handler nearestFloat(FloatForm form) {
  return floatops::chooseOp<Rounding::Nearest>(form);
}

Rounding roundingOf(const Form &form) {
  return form.has("rz")   ? Rounding::Zero
         : form.has("rm") ? Rounding::Down
         : form.has("rp") ? Rounding::Up
                          : Rounding::Nearest;
}

namespace {

template <FloatOp op, unsigned sources> void bindArithmetic(Builder &b) {
  FloatForm form{op, b.form.type(), b.form.has("ftz"), b.form.has("sat")};
  Rounding mode = roundingOf(b.form);
  bindSame(b,
           mode == Rounding::Nearest ? nearestFloat(form)
                                     : roundedFloat(form, mode),
           sources);
}

template <class Op, bool ftz> struct Flushing {
  float operator()(float a) const { return canonical(Op{}(input(a))); }
  float operator()(float a, float b) const {
    return canonical(Op{}(input(a), input(b)));
  }
  static float input(float x) { return ftz ? flush(x) : x; }
};
/// f64 NaNs keep their sign and payload and become quiet.
template <class Op> struct Quieting {
  double operator()(double a) const { return a != a ? a + a : Op{}(a); }
  double operator()(double a, double b) const {
    return a != a && b != b ? b + b : Op{}(a, b);
  }
};
/// Operations that have no rounding, on f32 and f64.
template <auto op, unsigned sources> void bindExact(Builder &b) {
  using Op = decltype(op);
  if constexpr (sources == 1)
    bindSame(b,
             b.form.type() == Type::F64 ? runUnary<double, Quieting<Op>>
             : b.form.has("ftz")        ? runUnary<float, Flushing<Op, true>>
                                        : runUnary<float, Flushing<Op, false>>,
             1);
  else
    bindSame(b,
             b.form.type() == Type::F64 ? runBinary<double, Quieting<Op>>
             : b.form.has("ftz")        ? runBinary<float, Flushing<Op, true>>
                                        : runBinary<float, Flushing<Op, false>>,
             2);
}

constexpr auto neg = [](auto x) { return -x; };
constexpr auto abs = [](auto x) { return std::fabs(x); };

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

/// The other operand where one is NaN; -0 is less than +0.
constexpr auto minimum = []<class T>(T a, T b) {
  using U = BitsOf<T>;
  T equal = std::bit_cast<T>(U(std::bit_cast<U>(a) | std::bit_cast<U>(b)));
  T less = a == b ? equal : a < b ? a : b;
  return a != a ? b : b != b ? a : less;
};
constexpr auto maximum = []<class T>(T a, T b) {
  using U = BitsOf<T>;
  T equal = std::bit_cast<T>(U(std::bit_cast<U>(a) & std::bit_cast<U>(b)));
  T more = a == b ? equal : a > b ? a : b;
  return a != a ? b : b != b ? a : more;
};
/// .NaN: NaN where one is.
template <auto op>
constexpr auto strict =
    [](auto a, auto b) { return a != a || b != b ? a + b : op(a, b); };
/// .xorsign.abs: of the magnitudes, with the product of the signs.
template <auto op>
constexpr auto xorSign = [](float a, float b) {
  uint32_t sign =
      (std::bit_cast<uint32_t>(a) ^ std::bit_cast<uint32_t>(b)) & 0x80000000u;
  float magnitude = op(std::fabs(a), std::fabs(b));
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
};

template <auto op> void bindExtreme(Builder &b) {
  bool nan = b.form.has("NaN");
  if (b.form.has("xorsign"))
    return nan ? bindExact<xorSign<strict<op>>, 2>(b)
               : bindExact<xorSign<op>, 2>(b);
  return nan ? bindExact<strict<op>, 2>(b) : bindExact<op, 2>(b);
}

/// 1/b as the unit gives it: a subnormal result is 0.
inline float reciprocal(float b) { return flush(float(1.0 / double(b))); }
inline float scaled(float x, float by) { return x * by; }

/// a * (1/b); `full` scales a large b first, without ftz a small one too.
template <bool full, bool ftz> struct DivideApprox {
  float operator()(float a, float b) const {
    if constexpr (ftz)
      a = flush(a), b = flush(b);
    float magnitude = std::fabs(b);
    float scale = full && magnitude > 0x1p126f ? 0.25f : 1.0f;
    if (!ftz && magnitude < 0x1p-126f)
      scale = 0x1p24f;
    float d = (a * scale) * reciprocal(b * scale);
    return canonical(ftz ? flush(d) : d);
  }
};
template <bool full> void bindDivideApprox(Builder &b) {
  bindSame(b,
           b.form.has("ftz") ? runBinary<float, DivideApprox<full, true>>
                             : runBinary<float, DivideApprox<full, false>>,
           2);
}

#define KCL_ROUND ".{rn,rz,rm,rp}?"

constexpr auto kind32 = InstClass::Float32, kind64 = InstClass::Float64;
constexpr Row rows[] = {
    {"add" KCL_ROUND ".ftz?.sat?.f32", kind32, bindArithmetic<FloatOp::Add, 2>},
    {"sub" KCL_ROUND ".ftz?.sat?.f32", kind32, bindArithmetic<FloatOp::Sub, 2>},
    {"mul" KCL_ROUND ".ftz?.sat?.f32", kind32, bindArithmetic<FloatOp::Mul, 2>},
    {"fma.{rn,rz,rm,rp}.ftz?.sat?.f32", kind32,
     bindArithmetic<FloatOp::Fma, 3>},
    {"mad" KCL_ROUND ".ftz?.sat?.f32", kind32, bindArithmetic<FloatOp::Fma, 3>},
    // .sat.ftz: an order that LLVM has.
    {"add" KCL_ROUND ".sat.ftz.f32", kind32, bindArithmetic<FloatOp::Add, 2>},
    {"sub" KCL_ROUND ".sat.ftz.f32", kind32, bindArithmetic<FloatOp::Sub, 2>},
    {"add" KCL_ROUND ".ftz?.f32x2", kind32, bindArithmetic<FloatOp::Add, 2>},
    {"sub" KCL_ROUND ".ftz?.f32x2", kind32, bindArithmetic<FloatOp::Sub, 2>},
    {"mul" KCL_ROUND ".ftz?.f32x2", kind32, bindArithmetic<FloatOp::Mul, 2>},
    {"fma.{rn,rz,rm,rp}.ftz?.f32x2", kind32, bindArithmetic<FloatOp::Fma, 3>},
    {"div.{rn,rz,rm,rp}.ftz?.f32", kind32, bindArithmetic<FloatOp::Div, 2>},
    {"div.approx.ftz?.f32", InstClass::Special, bindDivideApprox<false>,
     "2 ulp for 2^-126 <= |b| <= 2^126"},
    {"div.full.ftz?.f32", InstClass::Special, bindDivideApprox<true>, "2 ulp"},
    {"neg.ftz?.f32", kind32, bindExact<neg, 1>},
    {"abs.ftz?.f32", kind32, bindExact<abs, 1>},
    {"min.ftz?.NaN?.f32", kind32, bindExtreme<minimum>},
    {"min.ftz?.NaN?.xorsign.abs.f32", kind32, bindExtreme<minimum>},
    {"max.ftz?.NaN?.f32", kind32, bindExtreme<maximum>},
    {"max.ftz?.NaN?.xorsign.abs.f32", kind32, bindExtreme<maximum>},
    {"add" KCL_ROUND ".f64", kind64, bindArithmetic<FloatOp::Add, 2>},
    {"sub" KCL_ROUND ".f64", kind64, bindArithmetic<FloatOp::Sub, 2>},
    {"mul" KCL_ROUND ".f64", kind64, bindArithmetic<FloatOp::Mul, 2>},
    {"fma.{rn,rz,rm,rp}.f64", kind64, bindArithmetic<FloatOp::Fma, 3>},
    {"mad" KCL_ROUND ".f64", kind64, bindArithmetic<FloatOp::Fma, 3>},
    {"div.{rn,rz,rm,rp}.f64", kind64, bindArithmetic<FloatOp::Div, 2>},
    {"neg.f64", kind64, bindExact<neg, 1>},
    {"abs.f64", kind64, bindExact<abs, 1>},
    {"min.f64", kind64, bindExact<minimum, 2>},
    {"max.f64", kind64, bindExact<maximum, 2>},
};

} // namespace

std::span<const Row> floatRows() { return rows; }

} // namespace kclaw::sim
