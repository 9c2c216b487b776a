//===- SplitKernelTest.cpp - Long rows, whole tensors, middle dims --------===//
//
// Regions that several blocks share or that reduce over a dimension that is
// not the last, emulated on the CPU against loops in double.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"

namespace kclaw::test {
namespace {

constexpr double f32Bound = 3e-6;

TEST(SplitKernel, SoftmaxOverTheMiddle) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {3, 17, 20});
  s.result(s.op("aten.softmax.int", {x, 1, none}, DType::f32, {3, 17, 20}));
  std::vector<double> v = normal(3 * 17 * 20, 1), y(v.size());
  for (size_t o = 0; o < 3; ++o)
    for (size_t i = 0; i < 20; ++i) {
      double top = -INFINITY, sum = 0;
      auto at = [&](size_t k) { return (o * 17 + k) * 20 + i; };
      for (size_t k = 0; k < 17; ++k)
        top = std::max(top, v[at(k)]);
      for (size_t k = 0; k < 17; ++k)
        sum += std::exp(v[at(k)] - top);
      for (size_t k = 0; k < 17; ++k)
        y[at(k)] = std::exp(v[at(k)] - top) / sum;
    }
  expectAllPlans(s.spec, {v}, {y}, f32Bound);
}

TEST(SplitKernel, MeanOfEverythingOddSize) {
  SpecBuilder s;
  auto a = s.arg(DType::f32, {131, 129}), b = s.arg(DType::f32, {131, 129});
  s.result(s.op("aten.mse_loss", {a, b, 1}, DType::f32, {}));
  std::vector<double> x = normal(131 * 129, 2), y = normal(131 * 129, 3);
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  expectAllPlans(s.spec, {x, y}, {{sum / double(x.size())}}, f32Bound);
}

TEST(SplitKernel, ExtremeOverLeadingDimension) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {300, 7});
  auto m = s.op("aten.max.dim", {x, 0, false}, DType::f32, {7});
  auto i = s.also(DType::i64, {7});
  s.result(m).result(i);
  std::vector<double> v = normal(2100, 4), top(7, -INFINITY), at(7, 0.0);
  v[7 * 30 + 2] = v[7 * 200 + 2] = 99; // the first of equals
  v[7 * 250 + 5] = NAN;
  for (size_t k = 0; k < 300; ++k)
    for (size_t c = 0; c < 7; ++c)
      if (double value = v[k * 7 + c];
          !std::isnan(top[c]) && (value > top[c] || std::isnan(value))) {
        top[c] = value;
        at[c] = double(k);
      }
  expectAllPlans(s.spec, {v}, {top, at}, 0);
}

// Train-mode batch norm reduces over batch and space around the channel.
TEST(SplitKernel, BatchNormOverBatchAndSpace) {
  const int64_t n = 3, c = 5, h = 12;
  SpecBuilder s;
  auto x = s.arg(DType::f32, {n, c, h});
  auto w = s.arg(DType::f32, {c}), b = s.arg(DType::f32, {c});
  auto rm = s.arg(DType::f32, {c}), rv = s.arg(DType::f32, {c});
  auto y = s.op("aten._native_batch_norm_legit_functional",
                {x, w, b, rm, rv, true, 0.1, 1e-5}, DType::f32, {n, c, h});
  s.also(DType::f32, {c});
  s.also(DType::f32, {c});
  auto newMean = s.also(DType::f32, {c}), newVar = s.also(DType::f32, {c});
  s.result(newMean).result(newVar).result(y);
  std::vector<double> v = normal(size_t(n * c * h), 5, 2, 3), wv = normal(5, 6),
                      bv = normal(5, 7), mv = normal(5, 8), vv(5, 1.25);
  std::vector<double> out(v.size()), means, vars;
  for (size_t ch = 0; ch < 5; ++ch) {
    double mean = 0, var = 0, count = double(n * h);
    auto each = [&](auto visit) {
      for (size_t i = 0; i < size_t(n); ++i)
        for (size_t j = 0; j < size_t(h); ++j)
          visit((i * 5 + ch) * size_t(h) + j);
    };
    each([&](size_t i) { mean += v[i] / count; });
    each([&](size_t i) { var += (v[i] - mean) * (v[i] - mean) / count; });
    each([&](size_t i) {
      out[i] = (v[i] - mean) / std::sqrt(var + 1e-5) * wv[ch] + bv[ch];
    });
    means.push_back(0.9 * mv[ch] + 0.1 * mean);
    vars.push_back(0.9 * vv[ch] + 0.1 * var * count / (count - 1));
  }
  expectAllPlans(s.spec, {v, wv, bv, mv, vv}, {means, vars, out}, f32Bound);
}

TEST(SplitKernel, GroupNormSplitsTheChannels) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {2, 6, 5, 4});
  auto w = s.arg(DType::f32, {6}), b = s.arg(DType::f32, {6});
  s.result(s.op("aten.group_norm", {x, 3, w, b, 1e-5, true}, DType::f32,
                {2, 6, 5, 4}));
  std::vector<double> v = normal(240, 9), wv = normal(6, 10),
                      bv = normal(6, 11), y(240);
  for (size_t g = 0; g < 6; ++g) {
    double mean = 0, var = 0;
    for (size_t i = 0; i < 40; ++i)
      mean += v[g * 40 + i] / 40;
    for (size_t i = 0; i < 40; ++i)
      var += (v[g * 40 + i] - mean) * (v[g * 40 + i] - mean) / 40;
    for (size_t i = 0; i < 40; ++i) {
      size_t at = g * 40 + i, channel = at / 20 % 6;
      y[at] =
          (v[at] - mean) / std::sqrt(var + 1e-5) * wv[channel] + bv[channel];
    }
  }
  expectAllPlans(s.spec, {v, wv, bv}, {y}, f32Bound);
}

// Two rows of 12288 are shared by blocks, with two reductions and a full
// result.
TEST(SplitKernel, LayerNormOfFewLongRows) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {2, 12288});
  s.result(s.op("aten.layer_norm", {x, IntList{12288}, none, none, 1e-5, false},
                DType::f32, {2, 12288}));
  std::vector<double> v = normal(2 * 12288, 12, 1, 50), y(v.size());
  for (size_t row = 0; row < 2; ++row) {
    double mean = 0, var = 0;
    for (size_t i = 0; i < 12288; ++i)
      mean += v[row * 12288 + i] / 12288;
    for (size_t i = 0; i < 12288; ++i)
      var += std::pow(v[row * 12288 + i] - mean, 2) / 12288;
    for (size_t i = 0; i < 12288; ++i)
      y[row * 12288 + i] = (v[row * 12288 + i] - mean) / std::sqrt(var + 1e-5);
  }
  expectAllPlans(s.spec, {v}, {y}, 2e-5);
}

TEST(SplitKernel, AnyAndAllOverDimensions) {
  SpecBuilder s;
  auto x = s.arg(DType::boolean, {4, 9});
  s.result(s.op("aten.any.dim", {x, 1, true}, DType::boolean, {4, 1}));
  s.result(s.op("aten.all.dim", {x, 1, true}, DType::boolean, {4, 1}));
  std::vector<double> v(36, 0.0);
  for (size_t i = 9; i < 18; ++i)
    v[i] = 1;
  v[20] = 1;
  expectAllPlans(s.spec, {v}, {{0, 1, 1, 0}, {0, 1, 0, 0}}, 0);
}

} // namespace
} // namespace kclaw::test
