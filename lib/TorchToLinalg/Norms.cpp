//===- Norms.cpp - Layer, group, instance, batch and RMS norm -------------===//
//
// Statistics are taken in f64 in two passes; x - mean is formed in f64 as well
// and the rest in the compute type, with one rounding at the end.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Statistics.h"

using namespace mlir;

namespace kclaw {

namespace {
/// An affine norm of `x`: statistics read through `statMap`, weight and bias
/// through `channelMap`.
struct Affine {
  Tensor x, mean, rstd;
  AffineMap statMap, channelMap;
  std::optional<Tensor> weight, bias;
};
} // namespace

static Tensor reciprocalDeviation(OpContext &c, Tensor variance,
                                  double epsilon) {
  return c.elementwise(
      {variance}, c.sizes(variance), c.f64(), c.f64(),
      [&](Body, ArrayRef<Num> a) { return rsqrt(a[0] + epsilon); });
}

static Tensor normalise(OpContext &c, const Affine &n) {
  SmallVector<Input> inputs = {n.x, {n.mean, n.statMap}, {n.rstd, n.statMap}};
  for (const std::optional<Tensor> &side : {n.weight, n.bias})
    if (side)
      inputs.push_back({*side, n.channelMap});
  Type inner = c.computeType(n.x.dtype), wide = c.f64();
  return c.elementwise(
      inputs, c.sizes(n.x), c.dtype(), {}, [&](Body, ArrayRef<Num> a) {
        Num y = convert(convert(a[0], wide, false) - convert(a[1], wide, false),
                        inner, false) *
                convert(a[2], inner, false);
        unsigned next = 3;
        if (n.weight)
          y = y * convert(a[next++], inner, false);
        if (n.bias)
          y = y + convert(a[next], inner, false);
        return y;
      });
}

//===--- Layer norm -------------------------------------------------------===//

/// layer_norm and native_layer_norm(x, shape, weight, bias, eps)
static void layerNorm(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t count = c.integers(1).size(), lead = x.rank() - count;
  if (lead < 0)
    return c.fail("more normalised dims than dims");
  Dims over = dimRange(lead, x.rank());
  Tensor mean = meanOf(c, x, over);
  Tensor rstd =
      reciprocalDeviation(c, varianceOf(c, x, mean, over, 0), c.number(4));
  c.set(0, normalise(c, {x, mean, rstd, statisticMap(c, x.rank(), over),
                         c.dimsMap(x.rank(), over), c.optional(2),
                         c.optional(3)}));
  if (c.op->getNumResults() == 3) {
    c.set(1, c.unsqueeze(mean, over));
    c.set(2, c.unsqueeze(rstd, over));
  }
}

/// rms_norm(x, shape, weight, eps)
static void rmsNorm(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t count = c.integers(1).size();
  Dims over = dimRange(x.rank() - count, x.rank());
  // PyTorch's default is the machine epsilon of the compute type.
  double epsilon = c.number(3, x.dtype.isF64() ? 0x1p-52 : 0x1p-23);
  Tensor squares = c.sum({x}, c.sizes(x), over, c.f64(),
                         [](Body, ArrayRef<Num> a) { return a[0] * a[0]; });
  OpFoldResult n = elementCount(c, x, over);
  Tensor rstd = c.elementwise(
      {squares}, c.sizes(squares), c.f64(), c.f64(),
      [&](Body at, ArrayRef<Num> a) {
        return rsqrt(a[0] / convert(at.size(n), c.f64(), false) + epsilon);
      });
  SmallVector<Input> inputs = {x, {rstd, statisticMap(c, x.rank(), over)}};
  if (auto weight = c.optional(2))
    inputs.push_back({*weight, c.dimsMap(x.rank(), over)});
  c.set(c.elementwise(inputs, c.sizes(x), c.dtype(), c.computeDtype(x.dtype),
                      [](Body, ArrayRef<Num> a) {
                        Num y = a[0] * a[1];
                        return a.size() > 2 ? y * a[2] : y;
                      }));
}

//===--- Group and instance norm ------------------------------------------===//

/// Splits dim 1 into groups, normalises each group with its spatial dims, and
/// scales by channel.
static void groups(OpContext &c, Tensor x, int64_t count,
                   std::optional<Tensor> weight, std::optional<Tensor> bias,
                   double epsilon) {
  int64_t channels = x.rank() > 1 ? x.shape()[1] : ShapedType::kDynamic;
  if (ShapedType::isDynamic(channels) || count < 1 || channels % count)
    return c.fail("the channels must be static and divide into groups");
  Tensor split = c.splitDim(x, 1, count);
  int64_t rank = split.rank();
  Dims over = dimRange(2, rank);
  Tensor mean = meanOf(c, split, over);
  Tensor rstd =
      reciprocalDeviation(c, varianceOf(c, split, mean, over, 0), epsilon);
  if (weight)
    weight = c.splitDim(*weight, 0, count);
  if (bias)
    bias = c.splitDim(*bias, 0, count);
  Tensor y = normalise(c, {split, mean, rstd, c.dimsMap(rank, {0, 1}),
                           c.dimsMap(rank, {1, 2}), weight, bias});
  c.set(0, c.mergeDims(y, 1, 2));
  if (c.op->getNumResults() == 3) {
    c.set(1, mean);
    c.set(2, rstd);
  }
}

/// group_norm(x, groups, weight, bias, eps)
static void groupNorm(OpContext &c) {
  groups(c, c.tensor(0), c.integer(1), c.optional(2), c.optional(3),
         c.number(4, 1e-5));
}

/// native_group_norm(x, weight, bias, N, C, HxW, groups, eps)
static void nativeGroupNorm(OpContext &c) {
  groups(c, c.tensor(0), c.integer(6), c.optional(1), c.optional(2),
         c.number(7, 1e-5));
}

/// instance_norm(x, weight, bias, mean, var, use_input_stats, momentum, eps)
static void instanceNorm(OpContext &c) {
  Tensor x = c.tensor(0);
  if (!c.flag(5, true) || c.has(3))
    return c.fail("running statistics are not supported");
  groups(c, x, x.rank() > 1 ? x.shape()[1] : 0, c.optional(1), c.optional(2),
         c.number(7, 1e-5));
}

//===--- Batch norm -------------------------------------------------------===//

static Tensor batchNormOf(OpContext &c, Tensor x, Tensor mean, Tensor rstd,
                          std::optional<Tensor> weight,
                          std::optional<Tensor> bias) {
  AffineMap channel = c.dimsMap(x.rank(), {1});
  return normalise(c, {x, mean, rstd, channel, channel, weight, bias});
}

/// running * (1 - momentum) + batch * momentum
static Tensor blend(OpContext &c, Tensor running, Tensor batch,
                    double momentum) {
  return c.elementwise({running, batch}, c.sizes(running), running.dtype,
                       c.f64(), [&](Body, ArrayRef<Num> a) {
                         return (1 - momentum) * a[0] + momentum * a[1];
                       });
}

static Dims allButChannel(int64_t rank) {
  Dims over = {0};
  llvm::append_range(over, dimRange(2, rank));
  return over;
}

/// x, weight, bias, running mean, running variance, training, momentum, eps;
/// results: y, mean, rstd, and in `functional` the new running statistics.
/// Training normalises with the biased variance and blends the unbiased one.
static void trainBatchNorm(OpContext &c, double momentum, double epsilon) {
  Tensor x = c.tensor(0);
  Dims over = allButChannel(x.rank());
  Tensor mean = meanOf(c, x, over);
  Tensor variance = varianceOf(c, x, mean, over, 0);
  Tensor rstd = reciprocalDeviation(c, variance, epsilon);
  c.set(0, batchNormOf(c, x, mean, rstd, c.optional(1), c.optional(2)));
  if (c.op->getNumResults() > 2) {
    c.set(1, mean);
    c.set(2, rstd);
  }
  if (c.op->getNumResults() != 5)
    return;
  c.set(3, blend(c, c.tensor(3), mean, momentum));
  c.set(4, blend(c, c.tensor(4), varianceOf(c, x, mean, over, 1), momentum));
}

static void evalBatchNorm(OpContext &c, double epsilon) {
  Tensor mean = c.tensor(3);
  Tensor rstd = reciprocalDeviation(c, c.tensor(4), epsilon);
  c.set(0,
        batchNormOf(c, c.tensor(0), mean, rstd, c.optional(1), c.optional(2)));
  for (unsigned i = 1; i < std::min(c.op->getNumResults(), 3u); ++i)
    c.set(i, c.resultShape(i) == ArrayRef<int64_t>{0}
                 ? c.fill({c.fixed(0)}, c.dtype(i), 0.0)
                 : (i == 1 ? mean : rstd));
  if (c.op->getNumResults() == 5) {
    c.set(3, mean);
    c.set(4, c.tensor(4));
  }
}

/// batch_norm and the native forms that say whether they train in operand 5
static void batchNorm(OpContext &c) {
  if (c.flag(5))
    return trainBatchNorm(c, c.number(6, 0.1), c.number(7, 1e-5));
  evalBatchNorm(c, c.number(7, 1e-5));
}

/// _native_batch_norm_legit_no_training: without the flag
static void batchNormNoTraining(OpContext &c) {
  evalBatchNorm(c, c.number(6, 1e-5));
}

OpRows normRows() {
  static constexpr OpRow rows[] = {
      {"aten._native_batch_norm_legit", batchNorm},
      {"aten._native_batch_norm_legit_functional", batchNorm},
      {"aten._native_batch_norm_legit_no_training", batchNormNoTraining},
      {"aten.batch_norm", batchNorm},
      {"aten.group_norm", groupNorm},
      {"aten.instance_norm", instanceNorm},
      {"aten.layer_norm", layerNorm},
      {"aten.native_batch_norm", batchNorm},
      {"aten.native_group_norm", nativeGroupNorm},
      {"aten.native_layer_norm", layerNorm},
      {"aten.rms_norm", rmsNorm},
  };
  return rows;
}

} // namespace kclaw
