//===- Scalars.cpp - Ops on Torch ints, floats and bools ------------------===//
//
// Sizes and the arithmetic on them; i64, f64 and i1 values outside of any
// linalg body.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace kclaw {

static Num scalarAt(OpContext &c, unsigned i) {
  Num number{&c.b, c.loc, c.scalar(i)};
  number.isUnsigned = number.type().isInteger(1);
  return number;
}

/// Both operands as f64 if one is, else as i64 (bools count).
template <Num (*fn)(Num, Num)> static void binary(OpContext &c) {
  Num a = scalarAt(c, 0), b = scalarAt(c, 1);
  Type type = a.isFloat() || b.isFloat() ? c.f64() : c.b.getI64Type();
  c.setScalar(fn(convert(a, type, false), convert(b, type, false)).value);
}

/// Of ints, where Python raises what a processor may not.
template <Num (*fn)(Num, Num)> static void division(OpContext &c) {
  Num divisor = scalarAt(c, 1);
  if (!divisor.type().isInteger(64))
    return binary<fn>(c);
  if (!getConstantIntValue(divisor.value).value_or(0))
    c.require(ne(divisor, 0.0).value, "the divisor is {0}", divisor.value);
  binary<fn>(c);
}

static Num plus(Num a, Num b) { return a + b; }
static Num minus(Num a, Num b) { return a - b; }
static Num times(Num a, Num b) { return a * b; }
static Num quotient(Num a, Num b) {
  Type f64 = a.builder->getF64Type();
  return convert(a, f64, false) / convert(b, f64, false);
}

static void size(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(1, x.rank());
  Body here{c.b, c.loc};
  c.setScalar(here.size(c.size(x, dim)).value);
}

static void toInt(OpContext &c) {
  c.setScalar(convert(scalarAt(c, 0), c.b.getI64Type(), false).value);
}
static void toFloat(OpContext &c) {
  c.setScalar(convert(scalarAt(c, 0), c.f64(), false).value);
}
static void toBool(OpContext &c) {
  c.setScalar(convert(scalarAt(c, 0), c.boolean(), true).value);
}

/// Int.Tensor, Float.Tensor, Bool.Tensor: the element of a rank-0 tensor.
static void element(OpContext &c) {
  Tensor x = c.tensor(0);
  if (x.type().getNumElements() != 1)
    return c.fail("a tensor of one element expected");
  x = c.reshape(x, {});
  Num value = Body{c.b, c.loc}.load(x, {});
  if (c.name == "aten.Int.Tensor")
    return c.setScalar(convert(value, c.b.getI64Type(), false).value);
  if (c.name == "aten.Bool.Tensor")
    return c.setScalar(convert(value, c.boolean(), true).value);
  c.setScalar(convert(value, c.f64(), false).value);
}

static void negate(OpContext &c) { c.setScalar((-scalarAt(c, 0)).value); }
static void same(OpContext &c) { c.setScalar(c.scalar(0)); }

OpRows scalarRows() {
  static constexpr OpRow rows[] = {
      {"aten.Bool.Tensor", element},
      {"aten.Bool.float", toBool},
      {"aten.Bool.int", toBool},
      {"aten.Float.Scalar", toFloat},
      {"aten.Float.Tensor", element},
      {"aten.Float.bool", toFloat},
      {"aten.Int.Scalar", toInt},
      {"aten.Int.Tensor", element},
      {"aten.Int.bool", toInt},
      {"aten.Int.float", toInt},
      {"aten.add.int", binary<plus>},
      {"aten.add.float_int", binary<plus>},
      {"aten.add", binary<plus>},
      {"aten.div.float", binary<quotient>},
      {"aten.div.int", division<quotient>},
      {"aten.eq.int", binary<eq>},
      {"aten.eq.float", binary<eq>},
      {"aten.floordiv.int", division<floorDivide>},
      {"aten.ge.int", binary<ge>},
      {"aten.gt.int", binary<gt>},
      {"aten.le.int", binary<le>},
      {"aten.lt.int", binary<lt>},
      {"aten.mul", binary<times>},
      {"aten.mul.float", binary<times>},
      {"aten.mul.float_int", binary<times>},
      {"aten.mul.int", binary<times>},
      {"aten.mul.int_float", binary<times>},
      {"aten.ne.int", binary<ne>},
      {"aten.neg.int", negate},
      {"aten.neg.float", negate},
      {"aten.remainder.int", division<floorRemainder>},
      {"aten.size.int", size},
      {"aten.sub", binary<minus>},
      {"aten.sub.float", binary<minus>},
      {"aten.sub.int", binary<minus>},
      {"aten.sym_size.int", size},
      {"derefine", same},
      {"prim.max.int", binary<kclaw::maximum>},
      {"prim.min.int", binary<kclaw::minimum>},
  };
  return rows;
}

} // namespace kclaw
