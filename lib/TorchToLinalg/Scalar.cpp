//===- Scalar.cpp - Arithmetic inside a linalg body -----------------------===//
//
// Builds arith and math ops for Num.
//
//===----------------------------------------------------------------------===//
#include "Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <utility>

using namespace mlir;

namespace kclaw {

Num Num::constant(double number) const {
  if (isFloat())
    return with(arith::ConstantOp::create(
        *builder, loc, builder->getFloatAttr(type(), number)));
  return integer(static_cast<int64_t>(number));
}

Num Num::integer(int64_t number) const {
  unsigned width = type().isIndex() ? 64 : type().getIntOrFloatBitWidth();
  APInt bits(width, number, /*isSigned=*/true, /*implicitTrunc=*/true);
  return with(arith::ConstantOp::create(*builder, loc,
                                        builder->getIntegerAttr(type(), bits)));
}

template <typename Op> static Num unary(Num a) {
  return a.with(Op::create(*a.builder, a.loc, a.value));
}

template <typename Op> static Num binary(Num a, Num b) {
  return a.with(Op::create(*a.builder, a.loc, a.value, b.value));
}

template <typename FloatOp, typename IntOp> static Num binary(Num a, Num b) {
  return a.isFloat() ? binary<FloatOp>(a, b) : binary<IntOp>(a, b);
}

Num operator+(Num a, Num b) {
  return binary<arith::AddFOp, arith::AddIOp>(a, b);
}
Num operator-(Num a, Num b) {
  return binary<arith::SubFOp, arith::SubIOp>(a, b);
}
Num operator*(Num a, Num b) {
  return binary<arith::MulFOp, arith::MulIOp>(a, b);
}
Num operator-(Num a) {
  return a.isFloat() ? unary<arith::NegFOp>(a) : a.integer(0) - a;
}

static Num compare(Num a, Num b, arith::CmpFPredicate floats,
                   arith::CmpIPredicate signedInts,
                   arith::CmpIPredicate unsignedInts) {
  Value result =
      a.isFloat()
          ? arith::CmpFOp::create(*a.builder, a.loc, floats, a.value, b.value)
                .getResult()
          : arith::CmpIOp::create(*a.builder, a.loc,
                                  a.isUnsigned ? unsignedInts : signedInts,
                                  a.value, b.value)
                .getResult();
  return {a.builder, a.loc, result, true};
}

Num lt(Num a, Num b) {
  return compare(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
                 arith::CmpIPredicate::ult);
}
Num le(Num a, Num b) {
  return compare(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle,
                 arith::CmpIPredicate::ule);
}
Num eq(Num a, Num b) {
  return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq,
                 arith::CmpIPredicate::eq);
}
Num ne(Num a, Num b) {
  return compare(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne,
                 arith::CmpIPredicate::ne);
}
Num isNan(Num a) { return ne(a, a); }

Num both(Num a, Num b) { return binary<arith::AndIOp>(a, b); }
Num either(Num a, Num b) { return binary<arith::OrIOp>(a, b); }
Num differ(Num a, Num b) { return binary<arith::XOrIOp>(a, b); }
Num invert(Num a) { return differ(a, a.integer(-1)); }
Num select(Num condition, Num a, Num b) {
  return a.with(arith::SelectOp::create(*a.builder, a.loc, condition.value,
                                        a.value, b.value));
}

Num maximum(Num a, Num b) {
  if (a.isFloat())
    return binary<arith::MaximumFOp>(a, b);
  return a.isUnsigned ? binary<arith::MaxUIOp>(a, b)
                      : binary<arith::MaxSIOp>(a, b);
}
Num minimum(Num a, Num b) {
  if (a.isFloat())
    return binary<arith::MinimumFOp>(a, b);
  return a.isUnsigned ? binary<arith::MinUIOp>(a, b)
                      : binary<arith::MinSIOp>(a, b);
}

/// Integer quotient without a trap: zero and minus one never reach the divide
/// (x86 faults on both INT_MIN / -1 and x / 0).
static Num intQuotient(Num a, Num b) {
  if (a.isUnsigned)
    return binary<arith::DivUIOp>(a, select(eq(b, 0.0), 1.0, b));
  Num minusOne = eq(b, b.integer(-1));
  Num safe = select(either(minusOne, eq(b, 0.0)), 1.0, b);
  return select(minusOne, -a, binary<arith::DivSIOp>(a, safe));
}

Num operator/(Num a, Num b) {
  return a.isFloat() ? binary<arith::DivFOp>(a, b) : intQuotient(a, b);
}

Num truncDivide(Num a, Num b) {
  return a.isFloat() ? trunc(a / b) : intQuotient(a, b);
}

Num truncRemainder(Num a, Num b) {
  return a.isFloat() ? binary<arith::RemFOp>(a, b) : a - intQuotient(a, b) * b;
}

/// True when a remainder must move to the other side of zero to get the sign
/// of the divisor.
static Num wrongSign(Num remainder, Num b) {
  return both(ne(remainder, 0.0), differ(lt(remainder, 0.0), lt(b, 0.0)));
}

Num floorRemainder(Num a, Num b) {
  Num remainder = truncRemainder(a, b);
  if (a.isUnsigned)
    return remainder;
  return select(wrongSign(remainder, b), remainder + b, remainder);
}

/// Floats follow c10::div_floor_floating, so that 1.0 // 0.1 is 9.
Num floorDivide(Num a, Num b) {
  if (!a.isFloat()) {
    Num quotient = intQuotient(a, b);
    if (a.isUnsigned)
      return quotient;
    return select(wrongSign(a - quotient * b, b), quotient - 1.0, quotient);
  }
  Num remainder = truncRemainder(a, b);
  Num quotient = (a - remainder) / b;
  quotient = select(wrongSign(remainder, b), quotient - 1.0, quotient);
  Num whole = floor(quotient);
  whole = select(gt(quotient - whole, 0.5), whole + 1.0, whole);
  return select(eq(b, 0.0), a / b, whole);
}

Num power(Num a, uint64_t exponent) {
  Num result = a.constant(1);
  for (bool first = true; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = std::exchange(first, false) ? a : result * a;
    if (exponent > 1)
      a = a * a;
  }
  return result;
}

/// A square and a product for each bit of the exponent. No loop and no call
/// (math.ipowi has neither on every target): bodies are straight code.
static Num intPower(Num a, Num b) {
  unsigned width = a.type().getIntOrFloatBitWidth();
  Num one = a.integer(1), result = one, square = a;
  for (unsigned bit = 0, end = a.isUnsigned ? width : width - 1; bit < end;
       ++bit) {
    Num set = ne(both(b, a.integer(int64_t(uint64_t(1) << bit))), a.integer(0));
    result = result * select(set, square, one);
    if (bit + 1 < end)
      square = square * square;
  }
  if (a.isUnsigned)
    return result;
  Num odd = ne(both(b, one), a.integer(0));
  Num inverse = select(eq(a, one), one,
                       select(eq(a, a.integer(-1)),
                              select(odd, a.integer(-1), one), a.integer(0)));
  return select(lt(b, a.integer(0)), inverse, result);
}

Num power(Num a, Num b) {
  return a.isFloat() ? binary<math::PowFOp>(a, b) : intPower(a, b);
}

Num shiftLeft(Num a, Num b) {
  unsigned width = a.type().getIntOrFloatBitWidth();
  Num inside = both(ge(b, b.integer(0)), lt(b, b.integer(width)));
  return select(inside, binary<arith::ShLIOp>(a, select(inside, b, 0.0)), 0.0);
}

Num abs(Num a) {
  if (a.isUnsigned)
    return a;
  // math.absi has no way to device code; the smallest integer stays itself.
  return a.isFloat() ? unary<math::AbsFOp>(a) : maximum(a, a.constant(0.0) - a);
}

Num exp(Num a) { return unary<math::ExpOp>(a); }
Num exp2(Num a) { return unary<math::Exp2Op>(a); }
Num expm1(Num a) { return unary<math::ExpM1Op>(a); }
Num log(Num a) { return unary<math::LogOp>(a); }
Num log1p(Num a) { return unary<math::Log1pOp>(a); }
Num log2(Num a) { return unary<math::Log2Op>(a); }
Num log10(Num a) { return unary<math::Log10Op>(a); }
Num sqrt(Num a) { return unary<math::SqrtOp>(a); }
/// Not math.rsqrt: 1 / sqrt rounds the same way on every target.
Num rsqrt(Num a) { return 1.0 / sqrt(a); }
Num tanh(Num a) { return unary<math::TanhOp>(a); }
Num erf(Num a) { return unary<math::ErfOp>(a); }
Num erfc(Num a) { return unary<math::ErfcOp>(a); }
Num asinh(Num a) { return unary<math::AsinhOp>(a); }
Num acosh(Num a) { return unary<math::AcoshOp>(a); }
Num copySign(Num a, Num sign) { return binary<math::CopySignOp>(a, sign); }
Num sin(Num a) { return unary<math::SinOp>(a); }
Num cos(Num a) { return unary<math::CosOp>(a); }
Num tan(Num a) { return unary<math::TanOp>(a); }
Num asin(Num a) { return unary<math::AsinOp>(a); }
Num acos(Num a) { return unary<math::AcosOp>(a); }
Num atan(Num a) { return unary<math::AtanOp>(a); }
Num sinh(Num a) { return unary<math::SinhOp>(a); }
Num cosh(Num a) { return unary<math::CoshOp>(a); }
Num atan2(Num a, Num b) { return binary<math::Atan2Op>(a, b); }
Num floor(Num a) { return a.isFloat() ? unary<math::FloorOp>(a) : a; }
Num ceil(Num a) { return a.isFloat() ? unary<math::CeilOp>(a) : a; }
Num trunc(Num a) { return a.isFloat() ? unary<math::TruncOp>(a) : a; }
Num roundEven(Num a) { return a.isFloat() ? unary<math::RoundEvenOp>(a) : a; }
Num sigmoid(Num a) { return 1.0 / (1.0 + exp(-a)); }

static Value convertFloat(Num a, Type to, bool toUnsigned) {
  OpBuilder &b = *a.builder;
  if (auto toFloat = dyn_cast<FloatType>(to)) {
    unsigned width = a.type().getIntOrFloatBitWidth();
    if (width < toFloat.getWidth())
      return arith::ExtFOp::create(b, a.loc, to, a.value);
    if (width > toFloat.getWidth())
      return arith::TruncFOp::create(b, a.loc, to, a.value);
    // f16 <-> bf16 goes through f32.
    Value wide = arith::ExtFOp::create(b, a.loc, b.getF32Type(), a.value);
    return arith::TruncFOp::create(b, a.loc, to, wide);
  }
  if (to.isInteger(1))
    return ne(a, 0.0).value;
  // PyTorch goes through a wide signed integer, so -1.0 is 255 as ui8.
  Num wide = a.with(arith::FPToSIOp::create(b, a.loc, b.getI64Type(), a.value));
  wide.isUnsigned = false;
  return convert(wide, to, toUnsigned).value;
}

static Value convertInt(Num a, Type to) {
  OpBuilder &b = *a.builder;
  bool isUnsigned = a.isUnsigned || a.type().isInteger(1);
  if (isa<FloatType>(to)) {
    if (isUnsigned)
      return arith::UIToFPOp::create(b, a.loc, to, a.value);
    return arith::SIToFPOp::create(b, a.loc, to, a.value);
  }
  if (to.isInteger(1))
    return ne(a, 0.0).value;
  unsigned from = a.type().getIntOrFloatBitWidth();
  if (from > to.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, a.loc, to, a.value);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, a.loc, to, a.value);
  return arith::ExtSIOp::create(b, a.loc, to, a.value);
}

Num convert(Num a, Type to, bool toUnsigned) {
  Value value = a.value;
  if (a.type() != to)
    value = a.isFloat() ? convertFloat(a, to, toUnsigned) : convertInt(a, to);
  return {a.builder, a.loc, value, toUnsigned || to.isInteger(1)};
}

Num toIndex(Num a) {
  if (a.type().isIndex())
    return a;
  return a.with(arith::IndexCastOp::create(*a.builder, a.loc,
                                           a.builder->getIndexType(), a.value));
}

} // namespace kclaw
