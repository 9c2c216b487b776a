//===- Upsample.cpp - Nearest, linear and cubic interpolation -------------===//
//
// Each result element looks its neighbours up. Coordinates follow PyTorch: the
// given scale is used as it is, except in a dim whose size does not change.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

using namespace mlir;

namespace kclaw {

namespace {
struct Resize {
  Tensor x;
  int64_t lead; ///< dims before the spatial ones
  Dims input, output;
  SmallVector<double> ratio; ///< input positions per output position
  bool alignCorners = false;

  size_t rank() const { return input.size(); }
  Sizes sizes(OpContext &c) const {
    Sizes result;
    for (int64_t i = 0; i < lead; ++i)
      result.push_back(c.size(x, i));
    for (int64_t extent : output)
      result.push_back(c.fixed(extent));
    return result;
  }
};
} // namespace

/// Scales of a list operand, or of one operand a dim from `operand`.
static SmallVector<double> readScales(OpContext &c, unsigned operand,
                                      size_t count, bool isList) {
  SmallVector<double> scales;
  if (isList) {
    if (c.has(operand))
      for (std::optional<double> scale : c.numbers(operand))
        scales.push_back(scale.value_or(0));
  } else {
    for (size_t i = 0; i < count; ++i)
      scales.push_back(c.number(operand + i, 0));
  }
  scales.resize(count, 0);
  return scales;
}

/// Sizes come from the result type.
static std::optional<Resize> readResize(OpContext &c, size_t spatial,
                                        ArrayRef<double> scales,
                                        bool alignCorners) {
  Resize r{c.tensor(0), 0, {}, {}, {}, alignCorners};
  r.lead = r.x.rank() - spatial;
  for (size_t i = 0; i < spatial; ++i) {
    int64_t from = r.x.shape()[r.lead + i], to = c.resultShape()[r.lead + i];
    if (ShapedType::isDynamic(from) || ShapedType::isDynamic(to)) {
      c.fail("resized dims must be static");
      return std::nullopt;
    }
    double ratio = static_cast<double>(from) / to;
    if (alignCorners)
      ratio = to > 1 ? (from - 1.0) / (to - 1.0) : 0;
    else if (from == to)
      ratio = 1;
    else if (scales[i] > 0)
      ratio = 1 / scales[i];
    r.input.push_back(from);
    r.output.push_back(to);
    r.ratio.push_back(ratio);
  }
  return r;
}

/// Positions with the leading dims filled in.
static SmallVector<Num> leading(Body at, const Resize &r) {
  SmallVector<Num> positions;
  for (int64_t i = 0; i < r.lead; ++i)
    positions.push_back(at.index(i));
  return positions;
}

static void nearest(OpContext &c, const Resize &r) {
  c.set(
      c.elementwise({}, r.sizes(c), c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
        SmallVector<Num> positions = leading(at, r);
        Type i64 = at.builder.getI64Type();
        for (size_t i = 0; i < r.rank(); ++i) {
          Num out = convert(at.index(r.lead + i), c.f32(), false);
          Num in = convert(floor(out * r.ratio[i]), i64, false);
          positions.push_back(kclaw::minimum(in, r.input[i] - 1.0));
        }
        return at.load(r.x, positions);
      }));
}

/// Where output position `o` of spatial dim i falls in the input.
static Num sourceOf(OpContext &c, Body at, const Resize &r, size_t i,
                    bool clampLow) {
  Type type = c.computeType(c.dtype());
  Num o = convert(at.index(r.lead + i), type, false);
  if (r.alignCorners)
    return o * r.ratio[i];
  Num position = (o + 0.5) * r.ratio[i] - 0.5;
  return clampLow ? kclaw::maximum(position, 0.0) : position;
}

namespace {
/// A neighbour along one dim and its weight.
struct Tap {
  Num position, weight;
};
} // namespace

/// Sums the products of weights over all combinations of taps.
static Num blend(OpContext &c, Body at, const Resize &r,
                 ArrayRef<SmallVector<Tap>> taps, SmallVector<Num> &positions,
                 size_t dim) {
  Type type = c.computeType(c.dtype());
  if (dim == r.rank())
    return convert(at.load(r.x, positions), type, false);
  std::optional<Num> total;
  for (const Tap &tap : taps[dim]) {
    positions.push_back(tap.position);
    Num part = tap.weight * blend(c, at, r, taps, positions, dim + 1);
    positions.pop_back();
    total = total ? *total + part : part;
  }
  return *total;
}

using TapsFn = SmallVector<Tap> (*)(Num source, int64_t extent);

static Num clampedIndex(Num whole, double offset, int64_t extent) {
  Num index = convert(whole, whole.builder->getI64Type(), false) + offset;
  return kclaw::minimum(kclaw::maximum(index, 0.0), extent - 1.0);
}

static SmallVector<Tap> linearTaps(Num source, int64_t extent) {
  Num whole = floor(source), part = source - whole;
  return {{clampedIndex(whole, 0, extent), 1.0 - part},
          {clampedIndex(whole, 1, extent), part}};
}

/// Keys' cubic with a = -0.75.
static SmallVector<Tap> cubicTaps(Num source, int64_t extent) {
  constexpr double a = -0.75;
  Num whole = floor(source), t = source - whole;
  auto near = [&](Num x) { return ((a + 2) * x - (a + 3)) * x * x + 1.0; };
  auto far = [&](Num x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  return {{clampedIndex(whole, -1, extent), far(t + 1.0)},
          {clampedIndex(whole, 0, extent), near(t)},
          {clampedIndex(whole, 1, extent), near(1.0 - t)},
          {clampedIndex(whole, 2, extent), far(2.0 - t)}};
}

static void interpolate(OpContext &c, const Resize &r, TapsFn tapsOf,
                        bool clampLow) {
  c.set(
      c.elementwise({}, r.sizes(c), c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
        SmallVector<SmallVector<Tap>> taps;
        for (size_t i = 0; i < r.rank(); ++i)
          taps.push_back(tapsOf(sourceOf(c, at, r, i, clampLow), r.input[i]));
        SmallVector<Num> positions = leading(at, r);
        return blend(c, at, r, taps, positions, 0);
      }));
}

/// upsample_nearestNd(x, size, scale...), .vec(x, size, scales)
template <size_t spatial, bool isVec>
static void upsampleNearest(OpContext &c) {
  auto scales = readScales(c, 2, spatial, isVec);
  if (auto r = readResize(c, spatial, scales, false))
    nearest(c, *r);
}

/// upsample_linear and friends (x, size, align_corners, scale...)
template <size_t spatial, bool isVec, TapsFn taps, bool clampLow>
static void upsample(OpContext &c) {
  auto scales = readScales(c, 3, spatial, isVec);
  if (auto r = readResize(c, spatial, scales, c.flag(2)))
    interpolate(c, *r, taps, clampLow);
}

OpRows upsampleRows() {
  static constexpr OpRow rows[] = {
      {"aten.upsample_bicubic2d", upsample<2, false, cubicTaps, false>},
      {"aten.upsample_bicubic2d.vec", upsample<2, true, cubicTaps, false>},
      {"aten.upsample_bilinear2d", upsample<2, false, linearTaps, true>},
      {"aten.upsample_bilinear2d.vec", upsample<2, true, linearTaps, true>},
      {"aten.upsample_linear1d", upsample<1, false, linearTaps, true>},
      {"aten.upsample_linear1d.vec", upsample<1, true, linearTaps, true>},
      {"aten.upsample_nearest1d", upsampleNearest<1, false>},
      {"aten.upsample_nearest1d.vec", upsampleNearest<1, true>},
      {"aten.upsample_nearest2d", upsampleNearest<2, false>},
      {"aten.upsample_nearest2d.vec", upsampleNearest<2, true>},
      {"aten.upsample_nearest3d", upsampleNearest<3, false>},
      {"aten.upsample_nearest3d.vec", upsampleNearest<3, true>},
      {"aten.upsample_trilinear3d", upsample<3, false, linearTaps, true>},
      {"aten.upsample_trilinear3d.vec", upsample<3, true, linearTaps, true>},
  };
  return rows;
}

} // namespace kclaw
