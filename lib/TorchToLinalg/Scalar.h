//===- Scalar.h - Arithmetic inside a linalg body ---------------*- C++ -*-===//
//
// `Num` is one scalar in the body of a linalg.generic. Operators build arith
// and math ops, so the formula of a Torch op reads like the formula. Both sides
// of an operator have the same type; `convert` changes types.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_TORCHTOLINALG_SCALAR_H
#define KERNELCLAW_LIB_TORCHTOLINALG_SCALAR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace kclaw {

struct Num {
  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;
  bool isUnsigned = false; ///< ui8 and bool; builtin integers hide the sign

  mlir::Type type() const { return value.getType(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(type()); }
  /// The same place and sign, another value.
  Num with(mlir::Value other) const {
    return {builder, loc, other, isUnsigned};
  }
  /// A constant of this type; an integer type takes the truncated value.
  Num constant(double value) const;
  Num integer(int64_t value) const;
};

Num operator+(Num a, Num b);
Num operator-(Num a, Num b);
Num operator*(Num a, Num b);
/// Float division, or integer division rounding towards zero that never traps
/// (division by zero gives an unspecified value).
Num operator/(Num a, Num b);
Num operator-(Num a);
inline Num operator+(Num a, double b) { return a + a.constant(b); }
inline Num operator-(Num a, double b) { return a - a.constant(b); }
inline Num operator*(Num a, double b) { return a * a.constant(b); }
inline Num operator/(Num a, double b) { return a / a.constant(b); }
inline Num operator+(double a, Num b) { return b.constant(a) + b; }
inline Num operator-(double a, Num b) { return b.constant(a) - b; }
inline Num operator*(double a, Num b) { return b.constant(a) * b; }
inline Num operator/(double a, Num b) { return b.constant(a) / b; }

/// Comparisons give an i1. Floats: ordered, but `ne` is true for NaN.
Num lt(Num a, Num b);
Num le(Num a, Num b);
Num eq(Num a, Num b);
Num ne(Num a, Num b);
inline Num gt(Num a, Num b) { return lt(b, a); }
inline Num ge(Num a, Num b) { return le(b, a); }
inline Num lt(Num a, double b) { return lt(a, a.constant(b)); }
inline Num le(Num a, double b) { return le(a, a.constant(b)); }
inline Num eq(Num a, double b) { return eq(a, a.constant(b)); }
inline Num ne(Num a, double b) { return ne(a, a.constant(b)); }
inline Num gt(Num a, double b) { return gt(a, a.constant(b)); }
inline Num ge(Num a, double b) { return ge(a, a.constant(b)); }
/// False for integers.
Num isNan(Num a);
Num both(Num a, Num b);   ///< bitwise and
Num either(Num a, Num b); ///< bitwise or
Num differ(Num a, Num b); ///< bitwise xor
Num invert(Num a);        ///< bitwise not
Num select(Num condition, Num a, Num b);
inline Num select(Num condition, Num a, double b) {
  return select(condition, a, a.constant(b));
}
inline Num select(Num condition, double a, Num b) {
  return select(condition, b.constant(a), b);
}

/// NaN of either side wins (PyTorch's maximum, clamp, relu).
Num maximum(Num a, Num b);
Num minimum(Num a, Num b);
inline Num maximum(Num a, double b) { return maximum(a, a.constant(b)); }
inline Num minimum(Num a, double b) { return minimum(a, a.constant(b)); }

Num floorDivide(Num a, Num b);    ///< towards minus infinity
Num truncDivide(Num a, Num b);    ///< towards zero
Num floorRemainder(Num a, Num b); ///< sign of b (Python)
Num truncRemainder(Num a, Num b); ///< sign of a (C)
/// Integers wrap; a negative exponent gives 0, but for bases 1 and -1, as
/// PyTorch's.
Num power(Num a, Num b);
Num power(Num a, uint64_t exponent); ///< by squaring
Num shiftLeft(Num a, Num b);         ///< integers; 0 where b is no bit of a
Num abs(Num a);

Num exp(Num a);
Num exp2(Num a);
Num expm1(Num a);
Num log(Num a);
Num log1p(Num a);
Num log2(Num a);
Num log10(Num a);
Num sqrt(Num a);
Num rsqrt(Num a);
Num tanh(Num a);
Num erf(Num a);
Num erfc(Num a);
Num asinh(Num a);
Num acosh(Num a);
Num copySign(Num a, Num sign); ///< floats
Num sin(Num a);
Num cos(Num a);
Num tan(Num a);
Num asin(Num a);
Num acos(Num a);
Num atan(Num a);
Num sinh(Num a);
Num cosh(Num a);
Num atan2(Num a, Num b);
Num floor(Num a);
Num ceil(Num a);
Num trunc(Num a);
Num roundEven(Num a);
Num sigmoid(Num a);

/// Value conversion as Torch casts: float to integer truncates, anything to i1
/// is "not zero", integers wrap.
Num convert(Num a, mlir::Type to, bool toUnsigned);
/// To the index type, for tensor.extract; and back.
Num toIndex(Num a);

} // namespace kclaw

#endif // KERNELCLAW_LIB_TORCHTOLINALG_SCALAR_H
