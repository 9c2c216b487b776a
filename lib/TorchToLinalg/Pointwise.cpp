//===- Pointwise.cpp - Unary functions ------------------------------------===//
//
// Functions of one tensor whose other operands, if any, are scalars. Each is
// computed in the compute type of the result and rounded once.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace kclaw {

using UnaryFn = Num (*)(Num);

/// y = fn(x) in the result's compute type.
template <UnaryFn fn> static void unary(OpContext &c) {
  Tensor x = c.tensor(0);
  c.set(c.elementwise({x}, c.sizes(x), c.dtype(), c.dtype(),
                      [](Body, ArrayRef<Num> a) { return fn(a[0]); }));
}

/// y = fn(x) with x in its own compute type: predicates.
template <UnaryFn fn> static void predicate(OpContext &c) {
  Tensor x = c.tensor(0);
  c.set(c.elementwise({x}, c.sizes(x), c.dtype(), {},
                      [](Body, ArrayRef<Num> a) { return fn(a[0]); }));
}

/// y = fn(x, numbers) where the scalar operands are compile-time constants;
/// missing ones come from `defaults`.
using ParametricFn = Num (*)(Num, ArrayRef<double>);
template <ParametricFn fn, auto... defaults>
static void parametric(OpContext &c) {
  Tensor x = c.tensor(0);
  SmallVector<double> numbers;
  for (double otherwise : {static_cast<double>(defaults)...})
    numbers.push_back(c.number(numbers.size() + 1, otherwise));
  c.set(
      c.elementwise({x}, c.sizes(x), c.dtype(), c.dtype(),
                    [&](Body, ArrayRef<Num> a) { return fn(a[0], numbers); }));
}

static Num zero(Num x) { return x.constant(0); }
static Num relu(Num x) { return maximum(x, 0.0); }
static Num relu6(Num x) { return minimum(maximum(x, 0.0), 6.0); }
static Num square(Num x) { return x * x; }
static Num reciprocal(Num x) { return 1.0 / x; }
static Num negate(Num x) { return -x; }
static Num silu(Num x) { return x / (1.0 + exp(-x)); }
static Num atanh(Num x) { return 0.5 * (log1p(x) - log1p(-x)); }
static Num sign(Num x) {
  Num one = x.constant(1);
  Num negative = x.isUnsigned ? zero(x) : -one;
  Num y = select(gt(x, 0.0), one, select(lt(x, 0.0), negative, zero(x)));
  return select(isNan(x), zero(x), y);
}
/// log(1 / (1 + exp(-x))) without overflow.
static Num logSigmoid(Num x) { return minimum(x, 0.0) - log1p(exp(-abs(x))); }
static Num softplusOf(Num x) { return maximum(x, 0.0) + log1p(exp(-abs(x))); }
static Num mish(Num x) { return x * tanh(softplusOf(x)); }
static Num hardsigmoid(Num x) {
  return minimum(maximum(x + 3.0, 0.0), 6.0) / 6.0;
}
static Num hardswish(Num x) { return x * hardsigmoid(x); }
static Num tanhshrink(Num x) { return x - tanh(x); }
static Num softsign(Num x) { return x / (1.0 + abs(x)); }
static Num selu(Num x) {
  constexpr double alpha = 1.6732632423543772, scale = 1.0507009873554805;
  return scale * select(gt(x, 0.0), x, alpha * expm1(minimum(x, 0.0)));
}
static Num isInf(Num x) {
  return x.isFloat() ? eq(abs(x), INFINITY) : ne(x, x);
}
static Num isFinite(Num x) {
  return x.isFloat() ? lt(abs(x), INFINITY) : eq(x, x);
}
static Num isZero(Num x) { return eq(x, 0.0); }
/// The sign bit: also that of -0 and of NaN.
static Num isNegative(Num x) {
  return lt(x.isFloat() ? copySign(x.constant(1), x) : x, 0.0);
}
static Num isPositiveInf(Num x) { return both(isInf(x), gt(x, 0.0)); }
static Num isNegativeInf(Num x) { return both(isInf(x), lt(x, 0.0)); }

static Num leakyRelu(Num x, ArrayRef<double> p) {
  return select(gt(x, 0.0), x, x * p[0]);
}
/// elu(x, alpha, scale, input scale)
static Num elu(Num x, ArrayRef<double> p) {
  Num negative = expm1(minimum(x, 0.0) * p[2]) * (p[0] * p[1]);
  return select(gt(x, 0.0), x * p[1], negative);
}
static Num celu(Num x, ArrayRef<double> p) {
  return select(gt(x, 0.0), x, p[0] * expm1(minimum(x, 0.0) / p[0]));
}
static Num softplus(Num x, ArrayRef<double> p) {
  Num y = softplusOf(x * p[0]) / p[0];
  return select(gt(x * p[0], p[1]), x, y);
}
static Num threshold(Num x, ArrayRef<double> p) {
  return select(le(x, p[0]), p[1], x);
}
static Num hardshrink(Num x, ArrayRef<double> p) {
  return select(le(abs(x), p[0]), 0.0, x);
}
static Num softshrink(Num x, ArrayRef<double> p) {
  return select(gt(x, p[0]), x - p[0], select(lt(x, -p[0]), x + p[0], x * 0.0));
}
static Num logit(Num x, ArrayRef<double> p) {
  if (p[0] >= 0)
    x = minimum(maximum(x, p[0]), 1.0 - p[0]);
  return log(x / (1.0 - x));
}
/// hardtanh(x, low, high). As in PyTorch, `high` wins when low > high.
static Num hardtanh(Num x, ArrayRef<double> p) {
  return minimum(maximum(x, p[0]), p[1]);
}

static void gelu(OpContext &c) {
  Tensor x = c.tensor(0);
  bool approximate = c.text(1, "none") == "tanh";
  c.set(c.elementwise(
      {x}, c.sizes(x), c.dtype(), c.dtype(), [&](Body, ArrayRef<Num> a) {
        constexpr double root2 = std::numbers::sqrt2;
        Num v = a[0];
        if (!approximate)
          return 0.5 * v * (1.0 + erf(v * (1.0 / root2)));
        constexpr double beta = root2 * std::numbers::inv_sqrtpi;
        return 0.5 * v * (1.0 + tanh(beta * (v + 0.044715 * (v * v * v))));
      }));
}

/// round.decimals is scaled; plain round is to even.
static void round(OpContext &c) {
  Tensor x = c.tensor(0);
  double scale = std::pow(10.0, c.integer(1));
  c.set(c.elementwise(
      {x}, c.sizes(x), c.dtype(), c.dtype(), [&](Body, ArrayRef<Num> a) {
        return scale == 1.0 ? roundEven(a[0]) : roundEven(a[0] * scale) / scale;
      }));
}

OpRows pointwiseRows() {
  static constexpr OpRow rows[] = {
      {"aten.abs", unary<abs>},
      {"aten.acos", unary<acos>},
      {"aten.acosh", unary<acosh>},
      {"aten.asin", unary<asin>},
      {"aten.asinh", unary<asinh>},
      {"aten.atan", unary<atan>},
      {"aten.atanh", unary<atanh>},
      {"aten.bitwise_not", unary<invert>},
      {"aten.ceil", unary<ceil>},
      {"aten.celu", parametric<celu, 1>},
      {"aten.cos", unary<cos>},
      {"aten.cosh", unary<cosh>},
      {"aten.elu", parametric<elu, 1, 1, 1>},
      {"aten.erf", unary<erf>},
      {"aten.erfc", unary<erfc>},
      {"aten.exp", unary<exp>},
      {"aten.exp2", unary<exp2>},
      {"aten.expm1", unary<expm1>},
      {"aten.floor", unary<floor>},
      {"aten.gelu", gelu},
      {"aten.hardshrink", parametric<hardshrink, 0.5>},
      {"aten.hardsigmoid", unary<hardsigmoid>},
      {"aten.hardswish", unary<hardswish>},
      {"aten.hardtanh", parametric<hardtanh, -1, 1>},
      {"aten.isfinite", predicate<isFinite>},
      {"aten.isinf", predicate<isInf>},
      {"aten.isnan", predicate<isNan>},
      {"aten.leaky_relu", parametric<leakyRelu, 0.01>},
      {"aten.log", unary<log>},
      {"aten.log10", unary<log10>},
      {"aten.log1p", unary<log1p>},
      {"aten.log2", unary<log2>},
      {"aten.log_sigmoid", unary<logSigmoid>},
      {"aten.logical_not", predicate<isZero>},
      {"aten.logit", parametric<logit, -1>},
      {"aten.mish", unary<mish>},
      {"aten.neg", unary<negate>},
      {"aten.reciprocal", unary<reciprocal>},
      {"aten.relu", unary<relu>},
      {"aten.relu6", unary<relu6>},
      {"aten.round", round},
      {"aten.round.decimals", round},
      {"aten.rsqrt", unary<rsqrt>},
      {"aten.selu", unary<selu>},
      {"aten.sgn", unary<sign>},
      {"aten.sigmoid", unary<sigmoid>},
      {"aten.sign", unary<sign>},
      {"aten.signbit", predicate<isNegative>},
      {"aten.silu", unary<silu>},
      {"aten.sin", unary<sin>},
      {"aten.sinh", unary<sinh>},
      {"aten.softplus", parametric<softplus, 1, 20>},
      {"aten.softshrink", parametric<softshrink, 0.5>},
      {"aten.softsign", unary<softsign>},
      {"aten.sqrt", unary<sqrt>},
      {"aten.square", unary<square>},
      {"aten.tan", unary<tan>},
      {"aten.tanh", unary<tanh>},
      {"aten.tanhshrink", unary<tanhshrink>},
      {"aten.threshold", parametric<threshold, 0, 0>},
      {"aten.trunc", unary<trunc>},
      {"aten.isposinf", predicate<isPositiveInf>},
      {"aten.isneginf", predicate<isNegativeInf>},
  };
  return rows;
}

} // namespace kclaw
