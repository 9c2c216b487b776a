//===- Convolution.cpp - Convolutions of any rank -------------------------===//
//
// One linalg.generic over (batch, group, filter, positions | channel, taps) on
// a padded input. A transposed convolution is a convolution with a flipped
// weight on an input spread out by its stride.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace kclaw {

namespace {
struct Geometry {
  Dims stride, padding, dilation, outputPadding;
  int64_t groups = 1;
  bool transposed = false;
};
} // namespace

/// x [N, G, C, ...] with weight [G, F, C, taps] and no padding: [N, G, F, ...],
/// unrounded.
static Tensor correlate(OpContext &c, Tensor x, Tensor weight,
                        ArrayRef<int64_t> stride, ArrayRef<int64_t> dilation) {
  int64_t spatial = stride.size(), rank = 4 + 2 * spatial;
  // Loops: n, g, f, positions, channel, taps.
  int64_t channel = 3 + spatial;
  Sizes domain = {c.size(x, 0), c.size(x, 1), c.size(weight, 1)};
  SmallVector<AffineExpr> reads = {c.d(0), c.d(1), c.d(channel)};
  SmallVector<AffineExpr> taps = {c.d(1), c.d(2), c.d(channel)};
  Dims over = {channel};
  for (int64_t i = 0; i < spatial; ++i) {
    // positions = (padded - dilation * (taps - 1) - 1) / stride + 1
    OpFoldResult reach =
        c.mul(c.sub(c.size(weight, 3 + i), c.fixed(1)), c.fixed(dilation[i]));
    OpFoldResult last = c.sub(c.sub(c.size(x, 3 + i), reach), c.fixed(1));
    c.requireAtLeast(c.size(x, 3 + i), c.add(reach, c.fixed(1)),
                     "a padded size of {0} is less than the kernel's reach, "
                     "{1}");
    domain.push_back(c.add(c.divide(last, c.fixed(stride[i])), c.fixed(1)));
    int64_t tap = channel + 1 + i;
    reads.push_back(c.d(3 + i) * stride[i] + c.d(tap) * dilation[i]);
    taps.push_back(c.d(tap));
    over.push_back(tap);
  }
  for (int64_t i = 2; i < weight.rank(); ++i)
    domain.push_back(c.size(weight, i));
  return c.contract({x, c.map(rank, reads)}, {weight, c.map(rank, taps)},
                    domain, over, c.dtype());
}

/// [G * C, F, taps] to [G, F, C, flipped taps].
static Tensor flipWeight(OpContext &c, Tensor weight, int64_t groups) {
  Tensor split = c.splitDim(weight, 0, groups);
  Dims taps = dimRange(3, split.rank());
  Tensor flipped = c.flip(split, taps);
  Dims permutation = {0, 2, 1};
  permutation.append(taps);
  return c.permute(flipped, permutation);
}

/// The input of the convolution that a transposed one is: elements `stride`
/// apart among zeros, padded so that each tap is in reach.
static Tensor spread(OpContext &c, Tensor x, Tensor weight, const Geometry &g) {
  Dims low(x.rank(), 0), high(x.rank(), 0), strides(x.rank(), 1);
  Sizes extents = c.sizes(x);
  bool apart = false;
  for (size_t i = 0; i < g.stride.size(); ++i) {
    int64_t reach = g.dilation[i] * (weight.shape()[2 + i] - 1);
    low[2 + i] = reach - g.padding[i];
    high[2 + i] = reach - g.padding[i] + g.outputPadding[i];
    strides[2 + i] = g.stride[i];
    apart |= g.stride[i] != 1;
    OpFoldResult gaps = c.sub(extents[2 + i], c.fixed(1));
    extents[2 + i] = c.add(c.mul(gaps, c.fixed(g.stride[i])), c.fixed(1));
  }
  TypedAttr zero = c.number(x.dtype, 0.0);
  if (apart)
    x = c.insert(c.fill(extents, x.dtype, zero), x, Sizes(x.rank(), c.fixed(0)),
                 strides);
  return c.pad(x, low, high, zero);
}

/// The op for a library: [batch, channels, sizes] of known sizes and one float
/// type, or nothing.
static std::optional<Tensor> keepConvolution(OpContext &c, const Geometry &g,
                                             Tensor x, Tensor weight) {
  std::optional<Tensor> bias = c.optional(2);
  auto fits = [&](Tensor tensor) {
    return tensor.type().hasStaticShape() && tensor.dtype == c.dtype() &&
           tensor.type().getElementType() == c.dtype();
  };
  if (!c.keepConvolutions || c.widen || !isa<FloatType>(c.dtype()) ||
      !fits(x) || !fits(weight) || (bias && !fits(*bias)))
    return std::nullopt;
  SmallVector<int64_t> shape = {x.shape()[0], g.transposed
                                                  ? weight.shape()[1] * g.groups
                                                  : weight.shape()[0]};
  for (size_t i = 0; i < g.stride.size(); ++i) {
    int64_t in = x.shape()[2 + i];
    int64_t reach = g.dilation[i] * (weight.shape()[2 + i] - 1) + 1;
    int64_t room = in + 2 * g.padding[i] - reach;
    int64_t out = g.transposed ? (in - 1) * g.stride[i] - 2 * g.padding[i] +
                                     reach + g.outputPadding[i]
                               : room / g.stride[i] + 1;
    if (out <= 0 || (!g.transposed && room < 0))
      return std::nullopt;
    shape.push_back(out);
  }
  Value init = tensor::EmptyOp::create(c.b, c.loc, shape, c.dtype());
  auto made = claw::ConvolutionOp::create(
      c.b, c.loc, TypeRange{init.getType()}, x.value, weight.value,
      bias ? bias->value : Value(), init, g.stride, g.padding, g.dilation,
      g.groups, g.transposed);
  return Tensor{made->getResult(0), c.dtype()};
}

static void convolve(OpContext &c, const Geometry &g) {
  Tensor x = c.tensor(0), weight = c.tensor(1);
  bool batched = x.rank() == weight.rank();
  if (c.failed() || weight.rank() < 3 || x.rank() < weight.rank() - 1)
    return c.fail("an input and a weight of rank 3 to 5 expected");
  if (!weight.type().hasStaticShape())
    return c.fail("the weight must have static sizes");
  if (!batched)
    x = c.unsqueeze(x, {0});
  if (std::optional<Tensor> kept = keepConvolution(c, g, x, weight))
    return c.set(batched ? *kept : c.squeeze(*kept, {0}));
  size_t spatial = weight.rank() - 2;
  Dims stride = g.stride;
  if (g.transposed) {
    x = spread(c, x, weight, g);
    weight = flipWeight(c, weight, g.groups);
    stride.assign(spatial, 1);
  } else {
    Dims padding = {0, 0};
    padding.append(g.padding);
    x = c.pad(x, padding, padding, c.number(x.dtype, 0.0));
    weight = c.splitDim(weight, 0, g.groups);
  }
  if (x.type().isDynamicDim(1) || x.shape()[1] % g.groups)
    return c.fail("the channels must divide into groups");
  Tensor y =
      correlate(c, c.splitDim(x, 1, g.groups), weight, stride, g.dilation);
  y = c.mergeDims(y, 1, 2);
  if (auto bias = c.optional(2))
    y = c.elementwise({Input(y), Input(*bias, c.dimsMap(y.rank(), {1}))},
                      c.sizes(y), c.dtype(), y.dtype,
                      [](Body, ArrayRef<Num> a) { return a[0] + a[1]; });
  c.set(batched ? y : c.squeeze(y, {0}));
}

static size_t spatialDims(OpContext &c) {
  return std::max<int64_t>(c.tensor(1).rank() - 2, 0);
}

/// conv1d, conv2d, conv3d(x, weight, bias, stride, padding, dilation, groups)
static void conv(OpContext &c) {
  size_t n = spatialDims(c);
  Geometry g;
  g.stride = c.integers(3, n, 1);
  g.padding = c.integers(4, n, 0);
  g.dilation = c.integers(5, n, 1);
  g.groups = c.integer(6, 1);
  convolve(c, g);
}

/// The forms whose padding is "valid" or "same" (odd reach only).
static void convNamedPadding(OpContext &c) {
  size_t n = spatialDims(c);
  Geometry g;
  g.stride = c.integers(3, n, 1);
  g.dilation = c.integers(5, n, 1);
  g.padding.assign(n, 0);
  if (c.text(4) == "same")
    for (size_t i = 0; i < n; ++i) {
      int64_t total = g.dilation[i] * (c.tensor(1).shape()[2 + i] - 1);
      if (total % 2)
        return c.fail("padding \"same\" is uneven for an even kernel");
      g.padding[i] = total / 2;
    }
  g.groups = c.integer(6, 1);
  convolve(c, g);
}

/// conv_transpose: stride, padding, output padding, groups, dilation
static void convTranspose(OpContext &c) {
  size_t n = spatialDims(c);
  Geometry g;
  g.stride = c.integers(3, n, 1);
  g.padding = c.integers(4, n, 0);
  g.outputPadding = c.integers(5, n, 0);
  g.groups = c.integer(6, 1);
  g.dilation = c.integers(7, n, 1);
  g.transposed = true;
  convolve(c, g);
}

/// convolution: stride, padding, dilation, transposed, output padding, groups
static void convolution(OpContext &c) {
  size_t n = spatialDims(c);
  Geometry g;
  g.stride = c.integers(3, n, 1);
  g.padding = c.integers(4, n, 0);
  g.dilation = c.integers(5, n, 1);
  g.transposed = c.flag(6);
  g.outputPadding = c.integers(7, n, 0);
  g.groups = c.integer(8, 1);
  convolve(c, g);
}

OpRows convolutionRows() {
  static constexpr OpRow rows[] = {
      {"aten._convolution", convolution},
      {"aten.conv1d", conv},
      {"aten.conv1d.padding", convNamedPadding},
      {"aten.conv2d", conv},
      {"aten.conv2d.padding", convNamedPadding},
      {"aten.conv3d", conv},
      {"aten.conv3d.padding", convNamedPadding},
      {"aten.conv_transpose1d", convTranspose},
      {"aten.conv_transpose1d.input", convTranspose},
      {"aten.conv_transpose2d.input", convTranspose},
      {"aten.conv_transpose3d.input", convTranspose},
      {"aten.convolution", convolution},
  };
  return rows;
}

} // namespace kclaw
