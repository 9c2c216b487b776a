//===- Arithmetic.cpp - Binary ops, comparisons, select -------------------===//
//
// Operands are broadcast and converted to the compute type of the result: the
// result type alone says what to compute in. Comparisons compute in the
// promoted type of their operands.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

using namespace mlir;

namespace kclaw {

using BinaryFn = Num (*)(Num, Num);

/// 0 bool, 1 integer, 2 float.
static int category(Type dtype) {
  return isa<FloatType>(dtype) ? 2 : dtype.isInteger(1) ? 0 : 1;
}

/// Dtype of operand `i`; scalars are si64, f32 (PyTorch's default) or i1.
static Type operandDtype(OpContext &c, unsigned i) {
  if (c.isTensor(i))
    return c.tensor(i).dtype;
  Type type = c.scalar(i).getType();
  if (isa<FloatType>(type))
    return c.f32();
  return type.isInteger(1) ? c.boolean() : c.si64();
}

static Type wider(OpContext &c, Type a, Type b) {
  if (category(a) != category(b))
    return category(a) > category(b) ? a : b;
  unsigned left = a.getIntOrFloatBitWidth(), right = b.getIntOrFloatBitWidth();
  if (a != b && left == right) // f16 with bf16, ui8 with si8
    return category(a) == 2 ? c.f32() : Type(c.b.getIntegerType(16, true));
  return left > right ? a : b;
}

/// PyTorch's promotion: a tensor with dims outranks a rank-0 tensor, which
/// outranks a scalar, unless the latter is of a higher category.
static Type promoted(OpContext &c, ArrayRef<unsigned> operands) {
  auto priorityOf = [&](unsigned i) {
    return c.isTensor(i) ? (c.tensor(i).rank() > 0 ? 2 : 1) : 0;
  };
  Type result;
  for (int priority : {2, 1, 0}) {
    Type level;
    for (unsigned i : operands)
      if (priorityOf(i) == priority)
        level =
            level ? wider(c, level, operandDtype(c, i)) : operandDtype(c, i);
    if (level && (!result || category(level) > category(result)))
      result = level;
  }
  return result;
}

/// Applies fn to operands `which` (tensors or scalars) in `argDtype`.
static void apply(OpContext &c, ArrayRef<unsigned> which, Type argDtype,
                  llvm::function_ref<Num(Body, ArrayRef<Num>)> fn) {
  SmallVector<Tensor> tensors;
  SmallVector<Input> inputs;
  for (unsigned i : which)
    if (c.isTensor(i)) {
      tensors.push_back(c.tensor(i));
      inputs.push_back(tensors.back());
    }
  auto body = [&](Body at, ArrayRef<Num> args) {
    SmallVector<Num> all;
    for (unsigned i : which)
      if (c.isTensor(i)) {
        all.push_back(args.front());
        args = args.drop_front();
      } else {
        all.push_back(c.scalarIn(at, i, argDtype));
      }
    return fn(at, all);
  };
  c.set(c.elementwise(inputs, c.broadcastSizes(tensors), c.dtype(), argDtype,
                      body));
}

template <BinaryFn fn> static void ofTwo(OpContext &c) {
  apply(c, {0, 1}, c.dtype(),
        [](Body, ArrayRef<Num> x) { return fn(x[0], x[1]); });
}

template <BinaryFn fn> static void binary(OpContext &c) {
  c.takes(2, 2);
  ofTwo<fn>(c);
}

/// a op alpha * b, with alpha as operand 2.
template <BinaryFn fn> static void scaled(OpContext &c) {
  c.takes(2, 3);
  bool plain = !c.has(2) || c.number(2) == 1.0;
  apply(c, {0, 1}, c.dtype(), [&](Body at, ArrayRef<Num> x) {
    return fn(x[0], plain ? x[1] : c.scalarIn(at, 2, c.dtype()) * x[1]);
  });
}

template <BinaryFn fn> static void compare(OpContext &c) {
  c.takes(2, 2);
  apply(c, {0, 1}, promoted(c, {0, 1}),
        [](Body, ArrayRef<Num> x) { return fn(x[0], x[1]); });
}

template <BinaryFn fn> static void logical(OpContext &c) {
  c.takes(2, 2);
  apply(c, {0, 1}, c.boolean(),
        [](Body, ArrayRef<Num> x) { return fn(x[0], x[1]); });
}

static Num plus(Num a, Num b) {
  return a.type().isInteger(1) ? either(a, b) : a + b;
}
static Num minus(Num a, Num b) { return a - b; }
static Num times(Num a, Num b) { return a * b; }
static Num over(Num a, Num b) { return a / b; }

/// rsub: b - alpha * a
static void subtractFrom(OpContext &c) {
  c.takes(2, 3);
  apply(c, {0, 1}, c.dtype(), [&](Body at, ArrayRef<Num> x) {
    return x[1] - (c.has(2) ? c.scalarIn(at, 2, c.dtype()) * x[0] : x[0]);
  });
}

/// div.Tensor_mode, div.Scalar_mode
static void divideMode(OpContext &c) {
  c.takes(2, 3);
  StringRef mode = c.text(2, "none");
  if (mode == "floor")
    return ofTwo<floorDivide>(c);
  if (mode == "trunc")
    return ofTwo<truncDivide>(c);
  ofTwo<over>(c);
}

/// A small constant exponent becomes products, as in PyTorch.
static void powerScalar(OpContext &c) {
  Type dtype = c.dtype();
  double exponent = c.number(1);
  int64_t times = isa<FloatType>(dtype) ? 0 : c.integer(1);
  if (times < 0)
    return c.fail("integers have no negative integer powers");
  apply(c, {0}, dtype, [&](Body at, ArrayRef<Num> x) {
    Num v = x[0];
    if (!v.isFloat())
      return power(v, uint64_t(times));
    if (exponent == 0.5)
      return sqrt(v);
    if (exponent == -0.5)
      return rsqrt(v);
    bool whole = exponent == static_cast<int64_t>(exponent);
    if (whole && exponent >= 0 && exponent <= 4) {
      Num y = v.constant(1);
      for (int i = 0; i < static_cast<int>(exponent); ++i)
        y = i == 0 ? v : y * v;
      return y;
    }
    if (exponent == -1.0)
      return 1.0 / v;
    if (exponent == -2.0)
      return 1.0 / (v * v);
    return power(v, c.scalarIn(at, 1, dtype));
  });
}

static void where(OpContext &c) {
  if (!c.isTensor(0))
    return c.fail("operand 0, the condition, is not a tensor");
  SmallVector<Tensor> tensors;
  SmallVector<Input> inputs;
  for (unsigned i : {0u, 1u, 2u})
    if (c.isTensor(i)) {
      tensors.push_back(c.tensor(i));
      inputs.push_back(tensors.back());
    }
  Type type = c.computeType(c.dtype());
  c.set(c.elementwise(
      inputs, c.broadcastSizes(tensors), c.dtype(), {},
      [&](Body at, ArrayRef<Num> args) {
        SmallVector<Num> sides;
        Num condition = convert(args[0], at.builder.getI1Type(), true);
        args = args.drop_front();
        for (unsigned i : {1u, 2u})
          if (c.isTensor(i)) {
            sides.push_back(convert(args.front(), type, isUnsigned(c.dtype())));
            args = args.drop_front();
          } else {
            sides.push_back(c.scalarIn(at, i, c.dtype()));
          }
        return select(condition, sides[0], sides[1]);
      }));
}

/// masked_fill(x, mask, value): value is a scalar or a rank-0 tensor.
static void maskedFill(OpContext &c) {
  apply(c, {0, 1, 2}, c.dtype(), [&](Body at, ArrayRef<Num> x) {
    Num mask = convert(x[1], at.builder.getI1Type(), true);
    return select(mask, x[2], x[0]);
  });
}

/// clamp with any of min and max, scalars or tensors.
static void clamp(OpContext &c) {
  SmallVector<unsigned> which = {0};
  for (unsigned i : {1u, 2u})
    if (c.has(i))
      which.push_back(i);
  apply(c, which, c.dtype(), [&](Body, ArrayRef<Num> x) {
    Num y = x[0];
    unsigned next = 1;
    if (c.has(1))
      y = kclaw::maximum(y, x[next++]);
    if (c.has(2))
      y = kclaw::minimum(y, x[next++]);
    return y;
  });
}

/// addcmul, addcdiv: x + value * fn(a, b)
template <BinaryFn fn> static void addScaled(OpContext &c) {
  apply(c, {0, 1, 2}, c.dtype(), [&](Body at, ArrayRef<Num> x) {
    Num product = fn(x[1], x[2]);
    if (c.has(3))
      product = c.scalarIn(at, 3, c.dtype()) * product;
    return x[0] + product;
  });
}

/// lerp: the formula of PyTorch, which switches sides at weight 0.5.
static void lerp(OpContext &c) {
  apply(c, {0, 1, 2}, c.dtype(), [&](Body, ArrayRef<Num> x) {
    Num step = x[1] - x[0];
    return select(lt(abs(x[2]), 0.5), x[0] + x[2] * step,
                  x[1] - step * (1.0 - x[2]));
  });
}

/// prelu(x, weight): one weight, or one a channel (dim 1).
static void prelu(OpContext &c) {
  Tensor x = c.tensor(0), weight = c.tensor(1);
  Input slope = weight;
  if (weight.rank() == 1 && x.rank() > 1)
    slope.map = c.map(x.rank(), {weight.shape()[0] == 1 ? c.c(0) : c.d(1)});
  c.set(c.elementwise({x, slope}, c.sizes(x), c.dtype(), c.dtype(),
                      [](Body, ArrayRef<Num> a) {
                        return select(gt(a[0], 0.0), a[0], a[0] * a[1]);
                      }));
}

static void glu(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(1, x.rank(), -1);
  OpFoldResult half = c.divide(c.size(x, dim), c.fixed(2));
  c.requireEqual(c.size(x, dim), c.mul(half, c.fixed(2)),
                 "size {0} is odd; {1} would be even");
  Tensor left = c.slice(x, dim, c.fixed(0), half);
  Tensor right = c.slice(x, dim, half, half);
  c.set(c.elementwise(
      {left, right}, c.sizes(left), c.dtype(), c.dtype(),
      [](Body, ArrayRef<Num> a) { return a[0] * sigmoid(a[1]); }));
}

static Num shifted(Num a, Num b) {
  return a.isFloat() ? a * power(a.constant(2), b) : shiftLeft(a, b);
}

OpRows arithmeticRows() {
  static constexpr OpRow rows[] = {
      {"aten.__and__.Tensor", binary<both>},
      {"aten.__and__.Scalar", binary<both>},
      {"aten.__or__.Tensor", binary<either>},
      {"aten.__or__.Scalar", binary<either>},
      {"aten.__xor__.Tensor", binary<differ>},
      {"aten.__xor__.Scalar", binary<differ>},
      {"aten.__lshift__.Scalar", binary<shifted>},
      {"aten.add.Scalar", scaled<plus>},
      {"aten.add.Tensor", scaled<plus>},
      {"aten.addcdiv", addScaled<over>},
      {"aten.addcmul", addScaled<times>},
      {"aten.atan2", binary<atan2>},
      {"aten.bitwise_and.Scalar", binary<both>},
      {"aten.bitwise_and.Tensor", binary<both>},
      {"aten.bitwise_or.Scalar", binary<either>},
      {"aten.bitwise_or.Tensor", binary<either>},
      {"aten.bitwise_xor.Scalar", binary<differ>},
      {"aten.bitwise_xor.Tensor", binary<differ>},
      {"aten.clamp", clamp},
      {"aten.clamp.Tensor", clamp},
      {"aten.clamp_max", binary<minimum>},
      {"aten.clamp_max.Tensor", binary<minimum>},
      {"aten.clamp_min", binary<maximum>},
      {"aten.clamp_min.Tensor", binary<maximum>},
      {"aten.div.Scalar", binary<over>},
      {"aten.div.Scalar_mode", divideMode},
      {"aten.div.Tensor", binary<over>},
      {"aten.div.Tensor_mode", divideMode},
      {"aten.eq.Scalar", compare<eq>},
      {"aten.eq.Tensor", compare<eq>},
      {"aten.floor_divide", binary<floorDivide>},
      {"aten.floor_divide.Scalar", binary<floorDivide>},
      {"aten.fmod.Scalar", binary<truncRemainder>},
      {"aten.fmod.Tensor", binary<truncRemainder>},
      {"aten.ge.Scalar", compare<ge>},
      {"aten.ge.Tensor", compare<ge>},
      {"aten.glu", glu},
      {"aten.gt.Scalar", compare<gt>},
      {"aten.gt.Tensor", compare<gt>},
      {"aten.le.Scalar", compare<le>},
      {"aten.le.Tensor", compare<le>},
      {"aten.lerp.Scalar", lerp},
      {"aten.lerp.Tensor", lerp},
      {"aten.logical_and", logical<both>},
      {"aten.logical_or", logical<either>},
      {"aten.logical_xor", logical<differ>},
      {"aten.lt.Scalar", compare<lt>},
      {"aten.lt.Tensor", compare<lt>},
      {"aten.masked_fill.Scalar", maskedFill},
      {"aten.masked_fill.Tensor", maskedFill},
      {"aten.max.other", binary<maximum>},
      {"aten.maximum", binary<maximum>},
      {"aten.min.other", binary<minimum>},
      {"aten.minimum", binary<minimum>},
      {"aten.mul.Scalar", binary<times>},
      {"aten.mul.Tensor", binary<times>},
      {"aten.multiply.Tensor", binary<times>},
      {"aten.ne.Scalar", compare<ne>},
      {"aten.ne.Tensor", compare<ne>},
      {"aten.pow.Scalar", binary<power>},
      {"aten.pow.Tensor_Scalar", powerScalar},
      {"aten.pow.Tensor_Tensor", binary<power>},
      {"aten.prelu", prelu},
      {"aten.remainder.Scalar", binary<floorRemainder>},
      {"aten.remainder.Tensor", binary<floorRemainder>},
      {"aten.rsub.Scalar", subtractFrom},
      {"aten.rsub.Tensor", subtractFrom},
      {"aten.sub.Scalar", scaled<minus>},
      {"aten.sub.Tensor", scaled<minus>},
      {"aten.where.Scalar", where},
      {"aten.where.ScalarOther", where},
      {"aten.where.ScalarSelf", where},
      {"aten.where.self", where},
  };
  return rows;
}

} // namespace kclaw
