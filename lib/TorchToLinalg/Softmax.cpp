//===- Softmax.cpp - softmax, log_softmax, logsumexp ----------------------===//
//
// Row maximum, row sum of exponentials, then one map over elements that
// computes the exponential again: no row of exponentials is stored.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Statistics.h"

#include <cmath>

using namespace mlir;

namespace kclaw {

SoftmaxRow softmaxRow(OpContext &c, Tensor x, ArrayRef<int64_t> over,
                      bool finite) {
  Type inner = c.computeDtype(x.dtype);
  Tensor max = c.max(x, over);
  if (finite)
    max = c.elementwise({max}, c.sizes(max), inner, inner,
                        [](Body, ArrayRef<Num> a) {
                          return select(eq(abs(a[0]), INFINITY), 0.0, a[0]);
                        });
  AffineMap map = statisticMap(c, x.rank(), over);
  Tensor sum = c.sum({Input(x), Input(max, map)}, c.sizes(x), over, inner,
                     [](Body, ArrayRef<Num> a) { return exp(a[0] - a[1]); });
  return {max, sum, map};
}

/// The input in the result's dtype when that is wider (half to float), or when
/// the input is an integer.
static Tensor source(OpContext &c) {
  Tensor x = c.tensor(0);
  return x.isFloat() ? x : c.convertTo(x, c.dtype());
}

static void softmax(OpContext &c) {
  Tensor x = source(c);
  if (x.rank() == 0)
    return c.set(c.fill({}, c.dtype(), 1.0));
  SoftmaxRow row = softmaxRow(c, x, {c.dim(1, x.rank())}, false);
  Type inner = c.computeDtype(c.dtype());
  c.set(c.elementwise(
      {Input(x), Input(row.max, row.map), Input(row.sum, row.map)}, c.sizes(x),
      c.dtype(), inner,
      [](Body, ArrayRef<Num> a) { return exp(a[0] - a[1]) / a[2]; }));
}

static void logSoftmax(OpContext &c) {
  Tensor x = source(c);
  if (x.rank() == 0)
    return c.set(c.fill({}, c.dtype(), 0.0));
  SoftmaxRow row = softmaxRow(c, x, {c.dim(1, x.rank())}, false);
  Type inner = c.computeDtype(c.dtype());
  c.set(c.elementwise(
      {Input(x), Input(row.max, row.map), Input(row.sum, row.map)}, c.sizes(x),
      c.dtype(), inner,
      [](Body, ArrayRef<Num> a) { return a[0] - a[1] - log(a[2]); }));
}

/// softmin(x) = softmax(-x) never reaches us: it is exported as neg, softmax.
static void logSumExp(OpContext &c) {
  Tensor x = source(c);
  Dims over = c.dims(1, x.rank());
  SoftmaxRow row = softmaxRow(c, x, over, true);
  Tensor y =
      c.elementwise({row.max, row.sum}, c.sizes(row.sum), c.dtype(), c.f64(),
                    [](Body, ArrayRef<Num> a) { return log(a[1]) + a[0]; });
  c.set(c.flag(2) ? c.unsqueeze(y, over) : y);
}

OpRows softmaxRows() {
  static constexpr OpRow rows[] = {
      {"aten._log_softmax", logSoftmax},    {"aten._softmax", softmax},
      {"aten.log_softmax.int", logSoftmax}, {"aten.logsumexp", logSumExp},
      {"aten.softmax.int", softmax},
  };
  return rows;
}

} // namespace kclaw
