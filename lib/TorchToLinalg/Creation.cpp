//===- Creation.cpp - Constants, fills, ranges ----------------------------===//
//
// Tensors that come from scalars or literals.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace kclaw {

/// A splat of scalar operand `value` (a constant, or the number in `value`
/// when there is no such operand).
static void fillScalar(OpContext &c, ArrayRef<OpFoldResult> sizes,
                       unsigned operand) {
  c.set(c.elementwise({}, sizes, c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
    return c.scalarIn(at, operand, c.dtype());
  }));
}

static Sizes sizesLike(OpContext &c) { return c.sizes(c.tensor(0)); }

/// full(size, value), new_full(x, size, value), full_like(x, value)
static void full(OpContext &c) { fillScalar(c, c.sizeList(0), 1); }
static void newFull(OpContext &c) { fillScalar(c, c.sizeList(1), 2); }
static void fullLike(OpContext &c) { fillScalar(c, sizesLike(c), 1); }
static void scalarTensor(OpContext &c) { fillScalar(c, {}, 0); }

template <int value> static void constant(OpContext &c) {
  c.set(c.fill(c.sizeList(0), c.dtype(), value));
}
template <int value> static void constantNew(OpContext &c) {
  c.set(c.fill(c.sizeList(1), c.dtype(), value));
}
template <int value> static void constantLike(OpContext &c) {
  c.set(c.fill(sizesLike(c), c.dtype(), value));
}

static void fillTensor(OpContext &c) {
  Tensor value = c.tensor(1);
  c.set(c.elementwise({value}, sizesLike(c), c.dtype(), {},
                      [](Body, ArrayRef<Num> x) { return x[0]; }));
}

/// start + i * step. `first` and `step` are operands, -1 when implied.
static void range(OpContext &c, int first, unsigned end, int step) {
  auto number = [&](int operand, double otherwise) {
    return operand < 0 ? otherwise : c.number(operand);
  };
  Sizes sizes = {c.fixed(c.resultShape()[0])};
  bool dynamic = ShapedType::isDynamic(c.resultShape()[0]);
  if (dynamic) {
    if (number(first, 0) != 0 || number(step, 1) != 1)
      return c.fail("a dynamic range must start at 0 with step 1");
    sizes = {c.sizeAt(end)};
  }
  double start = number(first, 0), stride = number(step, 1);
  Type dtype = c.dtype();
  c.set(c.elementwise({}, sizes, dtype, {}, [&](Body at, ArrayRef<Num>) {
    Num i = convert(at.index(0), c.computeType(dtype), isUnsigned(dtype));
    return i * stride + start;
  }));
}
static void arange(OpContext &c) { range(c, -1, 0, -1); }
static void arangeStart(OpContext &c) { range(c, 0, 1, -1); }
static void arangeStep(OpContext &c) { range(c, 0, 1, 2); }

/// linspace(start, end, steps)
static void linspace(OpContext &c) {
  double start = c.number(0), end = c.number(1);
  int64_t steps = c.integer(2);
  Type dtype = c.dtype();
  c.set(c.elementwise(
      {}, {c.fixed(steps)}, dtype, {}, [&](Body at, ArrayRef<Num>) {
        double stride = steps > 1 ? (end - start) / (steps - 1) : 0;
        Num i = convert(at.index(0), c.f64(), false);
        Num y = select(lt(i, steps / 2.0), i * stride + start,
                       end - (steps - 1.0 - i) * stride);
        return convert(y, c.computeType(dtype), false);
      }));
}

static void eye(OpContext &c) {
  Sizes sizes = {c.sizeAt(0),
                 c.name == "aten.eye.m" ? c.sizeAt(1) : c.sizeAt(0)};
  c.set(c.elementwise({}, sizes, c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
    return convert(eq(at.index(0), at.index(1)), c.computeType(c.dtype()),
                   isUnsigned(c.dtype()));
  }));
}

/// The attribute keeps Torch's signed integers; builtin constants have none.
static void literal(OpContext &c) {
  auto value = c.op->getAttrOfType<ElementsAttr>("value");
  if (!value)
    return c.fail("the literal has no elements");
  Type dtype = c.dtype();
  auto type = RankedTensorType::get(
      c.resultShape(), isa<FloatType>(dtype) ? dtype : c.storageType(dtype));
  ElementsAttr builtin;
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    builtin =
        dense.getType() == type ? dense : dense.bitcast(type.getElementType());
  else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    builtin = DenseResourceElementsAttr::get(type, resource.getRawHandle());
  if (!builtin)
    return c.fail("the literal is neither dense nor a dense resource");
  Value constant = arith::ConstantOp::create(c.b, c.loc, type, builtin);
  c.set(c.convertTo({constant, dtype}, dtype));
}

static void triangle(OpContext &c, bool lower) {
  Tensor x = c.tensor(0);
  int64_t diagonal = c.integer(1), rank = x.rank();
  c.set(c.elementwise({x}, c.sizes(x), c.dtype(), {},
                      [&](Body at, ArrayRef<Num> a) {
                        Num row = at.index(rank - 2) + double(diagonal);
                        Num column = at.index(rank - 1);
                        Num keep = lower ? le(column, row) : ge(column, row);
                        return select(keep, a[0], 0.0);
                      }));
}
static void tril(OpContext &c) { triangle(c, true); }
static void triu(OpContext &c) { triangle(c, false); }

OpRows creationRows() {
  static constexpr OpRow rows[] = {
      {"aten.arange", arange},
      {"aten.arange.start", arangeStart},
      {"aten.arange.start_step", arangeStep},
      {"aten.empty.memory_format", constant<0>},
      {"aten.empty_like", constantLike<0>},
      {"aten.empty_strided", constant<0>},
      {"aten.eye", eye},
      {"aten.eye.m", eye},
      {"aten.fill.Scalar", fullLike},
      {"aten.fill.Tensor", fillTensor},
      {"aten.full", full},
      {"aten.full_like", fullLike},
      {"aten.linspace", linspace},
      {"aten.new_empty", constantNew<0>},
      {"aten.new_empty_strided", constantNew<0>},
      {"aten.new_full", newFull},
      {"aten.new_ones", constantNew<1>},
      {"aten.new_zeros", constantNew<0>},
      {"aten.ones", constant<1>},
      {"aten.ones_like", constantLike<1>},
      {"aten.scalar_tensor", scalarTensor},
      {"aten.tensor.bool", scalarTensor},
      {"aten.tensor.float", scalarTensor},
      {"aten.tensor.int", scalarTensor},
      {"aten.tril", tril},
      {"aten.triu", triu},
      {"aten.zeros", constant<0>},
      {"aten.zeros_like", constantLike<0>},
      {"prim.NumToTensor.Scalar", scalarTensor},
      {"vtensor.literal", literal},
  };
  return rows;
}

} // namespace kclaw
