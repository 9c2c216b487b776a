//===- Reductions.cpp - Sum, mean, max, variance, norm, any ---------------===//
//
// Reductions over given dims or over all. Sums of floats accumulate in f64 and
// are rounded once (Reduce.cpp says why).
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "Statistics.h"

#include <cmath>

using namespace mlir;

namespace kclaw {

/// Puts the reduced dims back as sizes of 1 where asked.
static Tensor keepDims(OpContext &c, Tensor y, ArrayRef<int64_t> over,
                       bool keep) {
  return keep ? c.unsqueeze(y, over) : y;
}

OpFoldResult elementCount(OpContext &c, Tensor x, ArrayRef<int64_t> over) {
  OpFoldResult count = c.fixed(1);
  for (int64_t dim : over)
    count = c.mul(count, c.size(x, dim));
  return count;
}

Tensor meanOf(OpContext &c, Tensor x, ArrayRef<int64_t> over) {
  Tensor total = c.sum(x, over);
  OpFoldResult count = elementCount(c, x, over);
  return c.elementwise({total}, c.sizes(total), c.f64(), c.f64(),
                       [&](Body at, ArrayRef<Num> a) {
                         return a[0] / convert(at.size(count), c.f64(), false);
                       });
}

/// The map of a statistic over `over` back into the domain of its source.
AffineMap statisticMap(OpContext &c, int64_t rank, ArrayRef<int64_t> over) {
  Dims kept;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(over, dim))
      kept.push_back(dim);
  return c.dimsMap(rank, kept);
}

Tensor varianceOf(OpContext &c, Tensor x, Tensor mean, ArrayRef<int64_t> over,
                  double correction) {
  AffineMap map = statisticMap(c, x.rank(), over);
  Tensor total = c.sum({Input(x), Input(mean, map)}, c.sizes(x), over, c.f64(),
                       [](Body, ArrayRef<Num> a) {
                         Num centred = a[0] - a[1];
                         return centred * centred;
                       });
  OpFoldResult count = elementCount(c, x, over);
  return c.elementwise(
      {total}, c.sizes(total), c.f64(), c.f64(), [&](Body at, ArrayRef<Num> a) {
        Num n = convert(at.size(count), c.f64(), false) - correction;
        return a[0] / kclaw::maximum(n, 0.0);
      });
}

//===--- Sums -------------------------------------------------------------===//

static void sumOver(OpContext &c, ArrayRef<int64_t> over, bool keep) {
  Tensor x = c.tensor(0);
  // The dtype operand converts first; the result type says it.
  Type dtype = c.computeDtype(c.dtype());
  Tensor y = c.sum({x}, c.sizes(x), over, dtype,
                   [](Body, ArrayRef<Num> a) { return a[0]; });
  c.set(keepDims(c, y, over, keep));
}
static void sumAll(OpContext &c) {
  sumOver(c, dimRange(0, c.tensor(0).rank()), false);
}
static void sumDims(OpContext &c) {
  sumOver(c, c.dims(1, c.tensor(0).rank()), c.flag(2));
}

static void meanOver(OpContext &c, ArrayRef<int64_t> over, bool keep) {
  c.set(keepDims(c, meanOf(c, c.tensor(0), over), over, keep));
}
static void meanAll(OpContext &c) {
  meanOver(c, dimRange(0, c.tensor(0).rank()), false);
}
static void meanDims(OpContext &c) {
  meanOver(c, c.dims(1, c.tensor(0).rank()), c.flag(2));
}

/// prod(x), prod.dim_int(x, dim, keep)
static void product(OpContext &c) {
  Tensor x = c.tensor(0);
  bool oneDim = c.name == "aten.prod.dim_int";
  Dims over = oneDim ? Dims{c.dim(1, x.rank())} : dimRange(0, x.rank());
  Type dtype = c.sumDtype(c.dtype());
  Tensor y = c.reduce({x}, c.sizes(x), over, dtype, c.number(dtype, 1),
                      [&](Body, Num total, ArrayRef<Num> a) {
                        return total * convert(a[0], total.type(), false);
                      });
  c.set(keepDims(c, y, over, oneDim && c.flag(2)));
}

//===--- Extremes ---------------------------------------------------------===//

template <Tensor (TensorBuilder::*extreme)(Tensor, ArrayRef<int64_t>)>
static void extremeDims(OpContext &c) {
  Tensor x = c.tensor(0);
  Dims over = c.dims(1, x.rank());
  c.requireElements(x, over);
  c.set(keepDims(c, (c.*extreme)(x, over), over, c.flag(2)));
}
template <Tensor (TensorBuilder::*extreme)(Tensor, ArrayRef<int64_t>)>
static void extremeAll(OpContext &c) {
  Tensor x = c.tensor(0);
  c.requireElements(x, dimRange(0, x.rank()));
  c.set((c.*extreme)(x, dimRange(0, x.rank())));
}

/// any and all, over one dim, some, or all of them
template <bool isAny> static void logical(OpContext &c) {
  Tensor x = c.tensor(0);
  Dims over = c.dims(1, x.rank());
  Type i1 = c.boolean();
  Tensor y =
      c.reduce({x}, c.sizes(x), over, i1, c.number(i1, !isAny),
               [&](Body, Num so_far, ArrayRef<Num> a) {
                 Num truth = convert(a[0], i1, true);
                 return isAny ? either(so_far, truth) : both(so_far, truth);
               });
  c.set(keepDims(c, y, over, c.flag(2)));
}

//===--- Variance and norms -----------------------------------------------===//

namespace {
struct Moments {
  Tensor mean, variance;
  Dims over;
};
} // namespace

static Moments moments(OpContext &c, ArrayRef<int64_t> over,
                       double correction) {
  Tensor x = c.tensor(0), mean = meanOf(c, x, over);
  return {mean, varianceOf(c, x, mean, over, correction), Dims(over)};
}

static Num identity(Num x) { return x; }

/// var and std: (x, dims, correction, keep) or (x, dims, unbiased, keep)
template <Num (*finish)(Num)>
static void spread(OpContext &c, Moments m, bool keep) {
  Tensor y =
      c.elementwise({m.variance}, c.sizes(m.variance), c.dtype(), c.f64(),
                    [](Body, ArrayRef<Num> a) { return finish(a[0]); });
  c.set(0, keepDims(c, y, m.over, keep));
  if (c.op->getNumResults() > 1)
    c.set(1, keepDims(c, m.mean, m.over, keep));
}
template <Num (*finish)(Num)> static void spreadDims(OpContext &c) {
  spread<finish>(c, moments(c, c.dims(1, c.tensor(0).rank()), c.number(2, 1)),
                 c.flag(3));
}
template <Num (*finish)(Num)>
static void spreadAll(OpContext &c) { // (x, unbiased)
  spread<finish>(c, moments(c, dimRange(0, c.tensor(0).rank()), c.number(1, 1)),
                 false);
}

/// |x|_p over dims: operands (x, p, dims, keep)
static void normOver(OpContext &c, double p, Dims over, bool keep) {
  Tensor x = c.tensor(0);
  auto magnitude = [&](Body, ArrayRef<Num> a) {
    Num v = abs(a[0]);
    if (p == 2)
      return v * v;
    if (p == 0)
      return convert(ne(v, 0.0), v.type(), false);
    return p == 1 ? v : power(v, v.constant(p));
  };
  if (std::isinf(p)) {
    Tensor v = c.elementwise({x}, c.sizes(x), c.computeDtype(x.dtype),
                             c.computeDtype(x.dtype),
                             [](Body, ArrayRef<Num> a) { return abs(a[0]); });
    return c.set(
        keepDims(c, p > 0 ? c.max(v, over) : c.min(v, over), over, keep));
  }
  Tensor y = c.sum({x}, c.sizes(x), over, c.f64(), magnitude);
  if (p != 0 && p != 1)
    y = c.elementwise(
        {y}, c.sizes(y), c.f64(), c.f64(), [&](Body, ArrayRef<Num> a) {
          return p == 2 ? sqrt(a[0]) : power(a[0], a[0].constant(1 / p));
        });
  c.set(keepDims(c, y, over, keep));
}
static void norm(OpContext &c) {
  normOver(c, c.number(1, 2), c.dims(2, c.tensor(0).rank()), c.flag(3));
}
static void frobenius(OpContext &c) {
  normOver(c, 2, c.dims(1, c.tensor(0).rank()), c.flag(2));
}

OpRows reductionRows() {
  static constexpr OpRow rows[] = {
      {"aten.all", logical<false>},
      {"aten.all.dim", logical<false>},
      {"aten.all.dims", logical<false>},
      {"aten.amax", extremeDims<&TensorBuilder::max>},
      {"aten.amin", extremeDims<&TensorBuilder::min>},
      {"aten.any", logical<true>},
      {"aten.any.dim", logical<true>},
      {"aten.any.dims", logical<true>},
      {"aten.frobenius_norm.dim", frobenius},
      {"aten.linalg_vector_norm", norm},
      {"aten.max", extremeAll<&TensorBuilder::max>},
      {"aten.mean", meanAll},
      {"aten.mean.dim", meanDims},
      {"aten.min", extremeAll<&TensorBuilder::min>},
      {"aten.norm.Scalar", norm},
      {"aten.norm.ScalarOpt_dim", norm},
      {"aten.prod", product},
      {"aten.prod.dim_int", product},
      {"aten.std", spreadAll<sqrt>},
      {"aten.std.correction", spreadDims<sqrt>},
      {"aten.std.dim", spreadDims<sqrt>},
      {"aten.sum", sumAll},
      {"aten.sum.dim_IntList", sumDims},
      {"aten.var", spreadAll<identity>},
      {"aten.var.correction", spreadDims<identity>},
      {"aten.var.dim", spreadDims<identity>},
      {"aten.var_mean", spreadAll<identity>},
      {"aten.var_mean.correction", spreadDims<identity>},
      {"aten.var_mean.dim", spreadDims<identity>},
  };
  return rows;
}

} // namespace kclaw
