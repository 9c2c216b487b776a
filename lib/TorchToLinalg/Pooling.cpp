//===- Pooling.cpp - Max, average and adaptive pooling --------------------===//
//
// A window is an iteration space of its own, given by an operand that is never
// read. Adaptive windows differ in size, so their body looks elements up.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace kclaw {

namespace {
/// Window geometry, one entry a spatial dim.
struct Window {
  Dims size, stride, padding, dilation;
  bool ceilMode = false;
  Dims output;

  size_t rank() const { return size.size(); }
};
} // namespace

/// Operands from `first`: size, stride, padding; then dilation and ceil_mode
/// at the given operands (none: -1).
static Window readWindow(OpContext &c, size_t spatial, unsigned first,
                         int dilation, int ceilMode) {
  Window w;
  w.size = c.integers(first, spatial, 1);
  w.stride = c.integers(first + 1).empty() ? w.size
                                           : c.integers(first + 1, spatial, 1);
  w.padding = c.integers(first + 2, spatial, 0);
  w.dilation =
      dilation < 0 ? Dims(spatial, 1) : c.integers(dilation, spatial, 1);
  w.ceilMode = ceilMode >= 0 && c.flag(ceilMode);
  return w;
}

/// The last window of ceil mode may hang over, but must start inside.
static bool sizeOutput(OpContext &c, Window &w, Tensor x) {
  int64_t lead = x.rank() - w.rank();
  for (size_t i = 0; i < w.rank(); ++i) {
    int64_t extent = x.shape()[lead + i];
    if (ShapedType::isDynamic(extent)) {
      c.fail("pooled dims must be static");
      return false;
    }
    int64_t reach = w.dilation[i] * (w.size[i] - 1);
    int64_t span = extent + 2 * w.padding[i] - reach - 1;
    int64_t out = (w.ceilMode ? llvm::divideCeilSigned(span, w.stride[i])
                              : llvm::divideFloorSigned(span, w.stride[i])) +
                  1;
    if (w.ceilMode && (out - 1) * w.stride[i] >= extent + w.padding[i])
      --out;
    w.output.push_back(out);
  }
  return true;
}

/// Pads with `value`, by as much as the last window reaches.
static Tensor padWindow(OpContext &c, const Window &w, Tensor x,
                        TypedAttr value) {
  Dims low(x.rank(), 0), high(x.rank(), 0);
  int64_t lead = x.rank() - w.rank();
  for (size_t i = 0; i < w.rank(); ++i) {
    int64_t reach =
        (w.output[i] - 1) * w.stride[i] + w.dilation[i] * (w.size[i] - 1) + 1;
    low[lead + i] = w.padding[i];
    high[lead + i] =
        std::max<int64_t>(reach - w.padding[i] - x.shape()[lead + i], 0);
  }
  return c.pad(x, low, high, value);
}

namespace {
/// Iteration space of a pool: leading dims, positions, taps.
struct PoolLoops {
  Sizes domain;
  Dims taps;
  Input source, window;
  int64_t lead;
};
} // namespace

static PoolLoops poolLoops(OpContext &c, const Window &w, Tensor padded) {
  int64_t lead = padded.rank() - w.rank(), rank = padded.rank() + w.rank();
  Sizes domain, extents;
  Dims taps;
  SmallVector<AffineExpr> reads;
  for (int64_t i = 0; i < lead; ++i) {
    domain.push_back(c.size(padded, i));
    reads.push_back(c.d(i));
  }
  for (size_t i = 0; i < w.rank(); ++i) {
    int64_t tap = padded.rank() + i;
    domain.push_back(c.fixed(w.output[i]));
    reads.push_back(c.d(lead + i) * w.stride[i] + c.d(tap) * w.dilation[i]);
    taps.push_back(tap);
    extents.push_back(c.fixed(w.size[i]));
  }
  domain.append(extents);
  Tensor shape = c.empty(extents, padded.dtype);
  return {domain,
          taps,
          {padded, c.map(rank, reads)},
          {shape, c.dimsMap(rank, taps)},
          lead};
}

//===--- Max --------------------------------------------------------------===//

static void maxPool(OpContext &c, size_t spatial) {
  Tensor x = c.tensor(0);
  Window w = readWindow(c, spatial, 1, 4, 5);
  if (c.failed() || !sizeOutput(c, w, x))
    return;
  TypedAttr least = c.lowest(x.dtype);
  PoolLoops loops = poolLoops(c, w, padWindow(c, w, x, least));
  c.set(c.reduce({loops.source, loops.window}, loops.domain, loops.taps,
                 x.dtype, least, [](Body, Num best, ArrayRef<Num> a) {
                   return kclaw::maximum(best, a[0]);
                 }));
}
template <size_t spatial> static void maxPool(OpContext &c) {
  maxPool(c, spatial);
}

/// Which index a window gives is a minimum of keys, in any order: that of the
/// first maximum, but of the last NaN if there is one, as PyTorch's loop
/// leaves it.
static Num indexKey(Num value, Num best, Num position, Num inside, Num least) {
  Num hit = both(inside, either(eq(value, best), isNan(value)));
  Num key = select(isNan(best), -position, position);
  return select(hit, kclaw::minimum(least, key), least);
}
static Tensor indexOfKey(OpContext &c, Tensor keys) {
  return c.elementwise({keys}, c.sizes(keys), keys.dtype, {},
                       [](Body, ArrayRef<Num> a) { return abs(a[0]); });
}

/// The indices are a second reduction.
template <size_t spatial> static void maxPoolIndices(OpContext &c) {
  maxPool(c, spatial);
  if (c.failed() || !c.used(1))
    return;
  Tensor x = c.tensor(0);
  Window w = readWindow(c, spatial, 1, 4, 5);
  sizeOutput(c, w, x);
  TypedAttr least = c.lowest(x.dtype);
  PoolLoops loops = poolLoops(c, w, padWindow(c, w, x, least));
  Tensor best = c.reduce({loops.source, loops.window}, loops.domain, loops.taps,
                         x.dtype, least, [](Body, Num best, ArrayRef<Num> a) {
                           return kclaw::maximum(best, a[0]);
                         });
  int64_t rank = loops.domain.size();
  Input bests(best, c.dimsMap(rank, dimRange(0, x.rank())));
  Type si64 = c.si64();
  c.set(1,
        indexOfKey(
            c,
            c.reduce({loops.source, loops.window, bests}, loops.domain,
                     loops.taps, si64, c.highest(si64),
                     [&](Body at, Num first, ArrayRef<Num> a) {
                       Num position = at.constant(at.builder.getI64Type(), 0);
                       Num inside = eq(position, position);
                       for (size_t i = 0; i < spatial; ++i) {
                         int64_t extent = x.shape()[loops.lead + i];
                         Num where =
                             at.index(loops.lead + i) * double(w.stride[i]) +
                             at.index(loops.taps[i]) * double(w.dilation[i]) -
                             double(w.padding[i]);
                         inside = both(inside, both(ge(where, 0.0),
                                                    lt(where, double(extent))));
                         position = position * double(extent) + where;
                       }
                       return indexKey(a[0], a[2], position, inside, first);
                     })));
}

//===--- Average ----------------------------------------------------------===//

/// Divisor: the window clipped to the input with its explicit padding, or to
/// the input alone; an override wins over both.
template <size_t spatial> static void averagePool(OpContext &c) {
  Tensor x = c.tensor(0);
  Window w = readWindow(c, spatial, 1, -1, 4);
  bool includePadding = c.flag(5, true);
  double divisor = c.number(6, 0);
  if (c.failed() || !sizeOutput(c, w, x))
    return;
  PoolLoops loops = poolLoops(c, w, padWindow(c, w, x, c.number(x.dtype, 0.0)));
  Tensor total = c.sum({loops.source, loops.window}, loops.domain, loops.taps,
                       x.dtype, [](Body, ArrayRef<Num> a) { return a[0]; });
  auto average = [&](Body at, ArrayRef<Num> a) {
    if (divisor != 0)
      return a[0] / divisor;
    Num count = at.constant(at.builder.getI64Type(), 1);
    for (size_t i = 0; i < spatial; ++i) {
      double extent = x.shape()[loops.lead + i], pad = w.padding[i];
      Num start = at.index(loops.lead + i) * double(w.stride[i]) - pad;
      Num end = kclaw::minimum(start + double(w.size[i]), extent + pad);
      if (!includePadding) {
        start = kclaw::maximum(start, 0.0);
        end = kclaw::minimum(end, extent);
      }
      count = count * (end - start);
    }
    return a[0] / convert(count, a[0].type(), false);
  };
  c.set(
      c.elementwise({total}, c.sizes(total), c.dtype(), total.dtype, average));
}

//===--- Adaptive ---------------------------------------------------------===//

/// Window i of a dim is [floor(i * in / out), ceil((i + 1) * in / out)).
template <size_t spatial, bool isMax> static void adaptivePool(OpContext &c) {
  Tensor x = c.tensor(0);
  Dims output = c.integers(1, spatial, 1);
  int64_t lead = x.rank() - spatial;
  Sizes domain, extents;
  for (int64_t i = 0; i < lead; ++i)
    domain.push_back(c.size(x, i));
  Dims taps, sizes(x.shape().drop_front(std::max<int64_t>(lead, 0)));
  for (size_t i = 0; i < spatial; ++i) {
    if (lead < 0 || ShapedType::isDynamic(sizes[i]) || output[i] < 1)
      return c.fail("pooled dims must be static");
    int64_t longest = 0;
    for (int64_t o = 0; o < output[i]; ++o)
      longest = std::max(longest,
                         llvm::divideCeilSigned((o + 1) * sizes[i], output[i]) -
                             o * sizes[i] / output[i]);
    domain.push_back(c.fixed(output[i]));
    extents.push_back(c.fixed(longest));
    taps.push_back(x.rank() + i);
  }
  domain.append(extents);
  Input window(c.empty(extents, x.dtype), c.dimsMap(domain.size(), taps));

  struct Place {
    SmallVector<Num> at;
    Num inside;
  };
  auto place = [&](Body at) {
    Num inside = eq(at.index(0), at.index(0));
    SmallVector<Num> positions;
    for (int64_t i = 0; i < lead; ++i)
      positions.push_back(at.index(i));
    for (size_t i = 0; i < spatial; ++i) {
      Num o = at.index(lead + i), n = o.integer(sizes[i]);
      Num m = o.integer(output[i]);
      Num start = o * n / m, end = ((o + 1.0) * n + m - 1.0) / m;
      Num here = start + at.index(taps[i]);
      inside = both(inside, lt(here, end));
      positions.push_back(kclaw::minimum(here, n - 1.0));
    }
    return Place{positions, inside};
  };

  if (isMax) {
    TypedAttr least = c.lowest(x.dtype);
    Tensor best = c.reduce(
        {window}, domain, taps, x.dtype, least,
        [&](Body at, Num best, ArrayRef<Num>) {
          Place p = place(at);
          return select(p.inside, kclaw::maximum(best, at.load(x, p.at)), best);
        });
    c.set(0, best);
    if (c.op->getNumResults() < 2 || !c.used(1))
      return;
    Input bests(best, c.dimsMap(domain.size(), dimRange(0, x.rank())));
    return c.set(
        1,
        indexOfKey(
            c, c.reduce(
                   {window, bests}, domain, taps, c.si64(), c.highest(c.si64()),
                   [&](Body at, Num first, ArrayRef<Num> a) {
                     Place p = place(at);
                     Num v = at.load(x, p.at);
                     Num flat =
                         v.with(first.value)
                             .with(
                                 at.constant(at.builder.getI64Type(), 0).value);
                     flat.isUnsigned = false;
                     for (size_t i = 0; i < spatial; ++i)
                       flat = flat * double(sizes[i]) + p.at[lead + i];
                     return indexKey(v, a[1], flat, p.inside, first);
                   })));
  }
  Tensor total =
      c.sum({window}, domain, taps, x.dtype, [&](Body at, ArrayRef<Num>) {
        Place p = place(at);
        Num v = convert(at.load(x, p.at), c.computeType(x.dtype), false);
        return select(p.inside, v, 0.0);
      });
  c.set(c.elementwise({total}, c.sizes(total), c.dtype(), total.dtype,
                      [&](Body at, ArrayRef<Num> a) {
                        Num count = at.constant(at.builder.getI64Type(), 1);
                        for (size_t i = 0; i < spatial; ++i) {
                          Num o = at.index(lead + i), n = o.integer(sizes[i]);
                          Num m = o.integer(output[i]);
                          count = count *
                                  (((o + 1.0) * n + m - 1.0) / m - o * n / m);
                        }
                        return a[0] / convert(count, a[0].type(), false);
                      }));
}

OpRows poolingRows() {
  static constexpr OpRow rows[] = {
      {"aten._adaptive_avg_pool2d", adaptivePool<2, false>},
      {"aten._adaptive_avg_pool3d", adaptivePool<3, false>},
      {"aten.adaptive_avg_pool1d", adaptivePool<1, false>},
      {"aten.adaptive_avg_pool2d", adaptivePool<2, false>},
      {"aten.adaptive_avg_pool3d", adaptivePool<3, false>},
      {"aten.adaptive_max_pool1d", adaptivePool<1, true>},
      {"aten.adaptive_max_pool2d", adaptivePool<2, true>},
      {"aten.adaptive_max_pool3d", adaptivePool<3, true>},
      {"aten.avg_pool1d", averagePool<1>},
      {"aten.avg_pool2d", averagePool<2>},
      {"aten.avg_pool3d", averagePool<3>},
      {"aten.max_pool1d", maxPool<1>},
      {"aten.max_pool1d_with_indices", maxPoolIndices<1>},
      {"aten.max_pool2d", maxPool<2>},
      {"aten.max_pool2d_with_indices", maxPoolIndices<2>},
      {"aten.max_pool3d", maxPool<3>},
      {"aten.max_pool3d_with_indices", maxPoolIndices<3>},
  };
  return rows;
}

} // namespace kclaw
