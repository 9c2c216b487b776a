//===- Losses.cpp - Losses with their reductions --------------------------===//
//
// Element losses in the compute type, then none, mean (1) or sum (2).
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Statistics.h"

using namespace mlir;

namespace kclaw {

enum Reduction : int64_t { None = 0, Mean = 1, Sum = 2 };

static void finish(OpContext &c, Tensor losses, int64_t reduction) {
  Dims all = dimRange(0, losses.rank());
  if (reduction == None)
    return c.set(losses);
  if (reduction == Sum)
    return c.set(c.sum(losses, all));
  c.set(meanOf(c, losses, all));
}

/// loss(x, y, parameter) of operands 0 and 1; reduction in operand 2.
template <Num (*loss)(Num, Num, double)> static void pairLoss(OpContext &c) {
  Tensor x = c.tensor(0), y = c.tensor(1);
  double parameter = c.number(3, 1);
  Type inner = c.computeDtype(c.dtype());
  Tensor losses = c.elementwise(
      {x, y}, c.broadcastSizes({x, y}), inner, inner,
      [&](Body, ArrayRef<Num> a) { return loss(a[0], a[1], parameter); });
  finish(c, losses, c.integer(2, Mean));
}

static Num squared(Num x, Num y, double) { return (x - y) * (x - y); }
static Num absolute(Num x, Num y, double) { return abs(x - y); }
static Num smooth(Num x, Num y, double beta) {
  Num d = abs(x - y);
  if (beta == 0)
    return d;
  return select(lt(d, beta), 0.5 * d * d / beta, d - 0.5 * beta);
}
static Num huber(Num x, Num y, double delta) {
  Num d = abs(x - y);
  return select(le(d, delta), 0.5 * d * d, delta * (d - 0.5 * delta));
}
/// kl_div(x, target, reduction, log_target)
static Num divergence(Num x, Num y, double logTarget) {
  if (logTarget != 0)
    return exp(y) * (y - x);
  return select(gt(y, 0.0), y * (log(y) - x), 0.0 * x);
}

static void klDivergence(OpContext &c) {
  Tensor x = c.tensor(0), y = c.tensor(1);
  bool logTarget = c.flag(3);
  Type inner = c.computeDtype(c.dtype());
  Tensor losses = c.elementwise(
      {x, y}, c.broadcastSizes({x, y}), inner, inner,
      [&](Body, ArrayRef<Num> a) {
        if (logTarget)
          return divergence(a[0], a[1], 1);
        return select(gt(a[1], 0.0), divergence(a[0], a[1], 0), 0.0 * a[1]);
      });
  finish(c, losses, c.integer(2, Mean));
}

/// binary_cross_entropy(x, y, weight, reduction); logarithms stop at -100.
static void binaryCrossEntropy(OpContext &c) {
  Tensor x = c.tensor(0), y = c.tensor(1);
  SmallVector<Input> inputs = {x, y};
  if (auto weight = c.optional(2))
    inputs.push_back(*weight);
  Type inner = c.computeDtype(c.dtype());
  Tensor losses = c.elementwise(inputs, c.sizes(x), inner, inner,
                                [](Body, ArrayRef<Num> a) {
                                  Num yes = kclaw::maximum(log(a[0]), -100.0);
                                  Num no = kclaw::maximum(log1p(-a[0]), -100.0);
                                  Num loss = (a[1] - 1.0) * no - a[1] * yes;
                                  return a.size() > 2 ? loss * a[2] : loss;
                                });
  finish(c, losses, c.integer(3, Mean));
}

/// ..._with_logits(x, y, weight, pos_weight, reduction)
static void logitsCrossEntropy(OpContext &c) {
  Tensor x = c.tensor(0), y = c.tensor(1);
  SmallVector<Input> inputs = {x, y};
  auto weight = c.optional(2), positive = c.optional(3);
  for (const auto &side : {weight, positive})
    if (side)
      inputs.push_back(*side);
  Type inner = c.computeDtype(c.dtype());
  Tensor losses = c.elementwise(
      inputs, c.sizes(x), inner, inner, [&](Body, ArrayRef<Num> a) {
        Num v = a[0], t = a[1];
        Num soft = log1p(exp(-abs(v))) + kclaw::maximum(-v, 0.0);
        Num scale = positive ? (a.back() - 1.0) * t + 1.0 : v.constant(1);
        Num loss = (1.0 - t) * v + scale * soft;
        return weight ? loss * a[2] : loss;
      });
  finish(c, losses, c.integer(4, Mean));
}

//===--- Class labels -----------------------------------------------------===//

namespace {
/// Losses of class labels and the weights they count with.
struct LabelLoss {
  Tensor losses, weights;
};
} // namespace

/// -weight[t] * x[t] for each target t that is not ignored, else 0, and what
/// each counts in the mean. `x` has classes in dim 1 (dim 0 of a vector).
static LabelLoss labelLoss(OpContext &c, Tensor x, Tensor target,
                           std::optional<Tensor> weight, int64_t ignored,
                           Type inner) {
  int64_t classes = x.rank() == 1 ? 0 : 1;
  OpFoldResult extent = c.size(x, classes);
  c.requireIndices(target, x, classes, false, ignored);
  for (int64_t dim = 0; dim < target.rank(); ++dim)
    c.requireEqual(c.size(target, dim),
                   c.size(x, dim < classes ? dim : dim + 1));
  if (weight)
    c.requireEqual(c.size(*weight, 0), extent);
  // An ignored label must not be read, not even on the branch not taken.
  auto label = [&](Body at, Num t) {
    Num wide = convert(t, at.builder.getI64Type(), false);
    return std::pair(
        ne(wide, double(ignored)),
        kclaw::maximum(kclaw::minimum(wide, at.size(extent) - 1.0), 0.0));
  };
  auto weightOf = [&](Body at, Num safe) {
    return weight
               ? convert(at.load(*weight, {safe}), c.computeType(inner), false)
               : at.constant(c.computeType(inner), 1);
  };
  Sizes sizes = c.sizes(target);
  Tensor losses =
      c.elementwise({target}, sizes, inner, {}, [&](Body at, ArrayRef<Num> a) {
        auto [counts, safe] = label(at, a[0]);
        SmallVector<Num> positions;
        for (int64_t dim = 0; dim < target.rank(); ++dim)
          positions.push_back(at.index(dim));
        positions.insert(positions.begin() + classes, safe);
        Num v = convert(at.load(x, positions), c.computeType(inner), false);
        return select(counts, -weightOf(at, safe) * v, 0.0);
      });
  Tensor weights =
      c.elementwise({target}, sizes, inner, {}, [&](Body at, ArrayRef<Num> a) {
        auto [counts, safe] = label(at, a[0]);
        return select(counts, weightOf(at, safe), 0.0);
      });
  return {losses, weights};
}

static Tensor quotient(OpContext &c, Tensor a, Tensor b) {
  return c.elementwise({a, b}, c.sizes(a), c.f64(), c.f64(),
                       [](Body, ArrayRef<Num> x) { return x[0] / x[1]; });
}

/// nll_loss(x, target, weight, reduction, ignore_index)
static void nllLoss(OpContext &c) {
  Tensor x = c.tensor(0), target = c.tensor(1);
  LabelLoss l = labelLoss(c, x, target, c.optional(2), c.integer(4, -100),
                          c.computeDtype(c.dtype()));
  Dims all = dimRange(0, target.rank());
  Tensor count = c.sum(l.weights, all);
  switch (c.integer(3, Mean)) {
  case None:
    c.set(0, l.losses);
    break;
  case Sum:
    c.set(0, c.sum(l.losses, all));
    break;
  default:
    c.set(0, quotient(c, c.sum(l.losses, all), count));
  }
  if (c.op->getNumResults() > 1)
    c.set(1, count);
}

/// The log-probabilities of x over its classes.
static Tensor logProbabilities(OpContext &c, Tensor x, int64_t classes,
                               Type inner) {
  SoftmaxRow row = softmaxRow(c, x, {classes}, false);
  return c.elementwise(
      {Input(x), Input(row.max, row.map), Input(row.sum, row.map)}, c.sizes(x),
      inner, inner,
      [](Body, ArrayRef<Num> a) { return a[0] - a[1] - log(a[2]); });
}

/// Targets are probabilities: -sum over classes of weight * y * log p, where
/// smoothing mixes in the uniform distribution.
static void soften(OpContext &c, Tensor logs, Tensor target,
                   std::optional<Tensor> weight, int64_t classes,
                   int64_t reduction, double smoothing) {
  SmallVector<Input> inputs = {logs, target};
  if (weight)
    inputs.push_back({*weight, c.dimsMap(logs.rank(), {classes})});
  OpFoldResult count = c.size(logs, classes);
  Tensor losses = c.sum(
      inputs, c.sizes(logs), {classes}, c.f64(), [&](Body at, ArrayRef<Num> a) {
        Num y = a[1];
        if (smoothing > 0)
          y = y * (1 - smoothing) +
              smoothing / convert(at.size(count), y.type(), false);
        Num loss = -(y * a[0]);
        return a.size() > 2 ? loss * a[2] : loss;
      });
  finish(c, losses, reduction);
}

/// cross_entropy_loss(x, target, weight, reduction, ignore_index, smoothing)
static void crossEntropy(OpContext &c) {
  Tensor x = c.tensor(0), target = c.tensor(1);
  auto weight = c.optional(2);
  int64_t reduction = c.integer(3, Mean), ignored = c.integer(4, -100);
  double smoothing = c.number(5, 0);
  int64_t classes = x.rank() == 1 ? 0 : 1;
  Type inner = c.computeDtype(c.dtype());
  Tensor logs = logProbabilities(c, x, classes, inner);
  if (target.isFloat())
    return soften(c, logs, target, weight, classes, reduction, smoothing);
  LabelLoss l = labelLoss(c, logs, target, weight, ignored, inner);
  Tensor losses = l.losses;
  if (smoothing > 0) {
    // The smooth part spreads over all classes, each with its own weight;
    // ignored rows have none of it.
    SmallVector<Input> inputs = {logs};
    if (weight)
      inputs.push_back({*weight, c.dimsMap(logs.rank(), {classes})});
    Tensor spread = c.sum(inputs, c.sizes(logs), {classes}, c.f64(),
                          [](Body, ArrayRef<Num> a) {
                            return a.size() > 1 ? -(a[0] * a[1]) : -a[0];
                          });
    OpFoldResult count = c.size(logs, classes);
    losses = c.elementwise(
        {l.losses, spread, target}, c.sizes(l.losses), inner, {},
        [&](Body at, ArrayRef<Num> a) {
          Type type = c.computeType(inner);
          Num share = smoothing / convert(at.size(count), type, false);
          Num smooth = share * convert(a[1], type, false);
          Num label = convert(a[2], at.builder.getI64Type(), false);
          return a[0] * (1 - smoothing) +
                 select(ne(label, double(ignored)), smooth, 0.0);
        });
  }
  if (reduction != Mean)
    return finish(c, losses, reduction);
  Dims all = dimRange(0, target.rank());
  c.set(quotient(c, c.sum(losses, all), c.sum(l.weights, all)));
}

//===--- Rows of vectors --------------------------------------------------===//

/// ||a - b + eps||_p over the last dim.
static Tensor distance(OpContext &c, Tensor a, Tensor b, double p,
                       double epsilon) {
  Sizes sizes = c.broadcastSizes({a, b});
  int64_t last = sizes.size() - 1;
  Tensor total =
      c.sum({a, b}, sizes, {last}, c.f64(), [&](Body, ArrayRef<Num> x) {
        Num d = abs(x[0] - x[1] + epsilon);
        return p == 2 ? d * d : power(d, d.constant(p));
      });
  return c.elementwise(
      {total}, c.sizes(total), c.f64(), c.f64(), [&](Body, ArrayRef<Num> x) {
        return p == 2 ? sqrt(x[0]) : power(x[0], x[0].constant(1 / p));
      });
}

/// triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap,
/// reduction)
static void tripletMargin(OpContext &c) {
  Tensor anchor = c.tensor(0), positive = c.tensor(1), negative = c.tensor(2);
  double margin = c.number(3, 1), p = c.number(4, 2), eps = c.number(5, 1e-6);
  Tensor near = distance(c, anchor, positive, p, eps);
  Tensor far = distance(c, anchor, negative, p, eps);
  SmallVector<Input> inputs = {near, far};
  if (c.flag(6))
    inputs.push_back(distance(c, positive, negative, p, eps));
  Tensor losses = c.elementwise(
      inputs, c.sizes(near), c.f64(), c.f64(), [&](Body, ArrayRef<Num> a) {
        Num apart = a.size() > 2 ? kclaw::minimum(a[1], a[2]) : a[1];
        return kclaw::maximum(a[0] - apart + margin, 0.0);
      });
  finish(c, losses, c.integer(7, Mean));
}

/// cosine_similarity(a, b, dim, eps)
static void cosineSimilarity(OpContext &c) {
  Tensor a = c.tensor(0), b = c.tensor(1);
  Sizes sizes = c.broadcastSizes({a, b});
  int64_t dim = c.dim(2, sizes.size(), 1);
  double eps = c.number(3, 1e-8);
  auto dot = [&](Tensor x, Tensor y) {
    return c.sum({x, y}, sizes, {dim}, c.f64(),
                 [](Body, ArrayRef<Num> v) { return v[0] * v[1]; });
  };
  Tensor across = dot(a, b), left = dot(a, a), right = dot(b, b);
  c.set(c.elementwise({across, left, right}, c.sizes(across), c.dtype(),
                      c.f64(), [&](Body, ArrayRef<Num> v) {
                        Num scale = kclaw::maximum(sqrt(v[1]), eps) *
                                    kclaw::maximum(sqrt(v[2]), eps);
                        return v[0] / scale;
                      }));
}

OpRows lossRows() {
  static constexpr OpRow rows[] = {
      {"aten.binary_cross_entropy", binaryCrossEntropy},
      {"aten.binary_cross_entropy_with_logits", logitsCrossEntropy},
      {"aten.cosine_similarity", cosineSimilarity},
      {"aten.cross_entropy_loss", crossEntropy},
      {"aten.huber_loss", pairLoss<huber>},
      {"aten.kl_div", klDivergence},
      {"aten.l1_loss", pairLoss<absolute>},
      {"aten.mse_loss", pairLoss<squared>},
      {"aten.nll_loss", nllLoss},
      {"aten.nll_loss2d_forward", nllLoss},
      {"aten.nll_loss_forward", nllLoss},
      {"aten.nll_loss_nd", nllLoss},
      {"aten.smooth_l1_loss", pairLoss<smooth>},
      {"aten.triplet_margin_loss", tripletMargin},
  };
  return rows;
}

} // namespace kclaw
