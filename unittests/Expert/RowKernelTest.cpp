//===- RowKernelTest.cpp - Softmax, norms and row reductions --------------===//
//
// Generated kernels, emulated on the CPU, against loops in double.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"

namespace kclaw::test {
namespace {

constexpr double f32Bound = 2e-6, bf16Bound = 4e-3;

std::vector<double> softmaxRows(const std::vector<double> &x, size_t cols) {
  std::vector<double> y(x.size());
  for (size_t row = 0; row < x.size(); row += cols) {
    double top = -INFINITY, sum = 0;
    for (size_t i = 0; i < cols; ++i)
      top = std::max(top, x[row + i]);
    for (size_t i = 0; i < cols; ++i)
      sum += std::exp(x[row + i] - top);
    for (size_t i = 0; i < cols; ++i)
      y[row + i] = std::exp(x[row + i] - top) / sum;
  }
  return y;
}

KernelSpec softmaxSpec(DType type, int64_t rows, int64_t cols) {
  SpecBuilder b;
  auto x = b.arg(type, {rows, cols});
  b.result(b.op("aten.softmax.int", {x, -1, none}, type, {rows, cols}));
  return b.spec;
}

TEST(RowKernel, SoftmaxOfOddRows) {
  std::vector<double> x = normal(37 * 129, 1, 3);
  expectAllPlans(softmaxSpec(DType::f32, 37, 129), {x}, {softmaxRows(x, 129)},
                 f32Bound);
}

TEST(RowKernel, SoftmaxOfLongRows) {
  std::vector<double> x = normal(2 * 4096, 2, 3);
  expectAllPlans(softmaxSpec(DType::f32, 2, 4096), {x}, {softmaxRows(x, 4096)},
                 f32Bound);
}

TEST(RowKernel, SoftmaxOfMinusInfinityRowIsNan) {
  std::vector<double> x = normal(4 * 8, 3);
  for (int i = 0; i < 8; ++i)
    x[8 + size_t(i)] = -INFINITY;
  x[0] = -INFINITY;
  std::vector<double> want = softmaxRows(x, 8);
  ASSERT_TRUE(std::isnan(want[8]));
  expectAllPlans(softmaxSpec(DType::f32, 4, 8), {x}, {want}, f32Bound);
}

// TM-08: 16-bit sums accumulate in f32.
TEST(RowKernel, SoftmaxOfHalfZerosSumsInFloat) {
  std::vector<double> x(4096, 0.0), y(4096, 1.0 / 4096);
  expectAllPlans(softmaxSpec(DType::f16, 1, 4096), {x}, {y}, 1e-7);
}

KernelSpec layerNormSpec(DType type, int64_t rows, int64_t cols) {
  SpecBuilder b;
  auto x = b.arg(type, {rows, cols});
  auto w = b.arg(type, {cols}), bias = b.arg(type, {cols});
  b.result(b.op("aten.layer_norm", {x, IntList{cols}, w, bias, 1e-5, false},
                type, {rows, cols}));
  return b.spec;
}

std::vector<double> layerNorm(const std::vector<double> &x,
                              const std::vector<double> &w,
                              const std::vector<double> &b) {
  size_t cols = w.size();
  std::vector<double> y(x.size());
  for (size_t row = 0; row < x.size(); row += cols) {
    double mean = 0, var = 0;
    for (size_t i = 0; i < cols; ++i)
      mean += x[row + i] / double(cols);
    for (size_t i = 0; i < cols; ++i)
      var += (x[row + i] - mean) * (x[row + i] - mean) / double(cols);
    for (size_t i = 0; i < cols; ++i)
      y[row + i] = (x[row + i] - mean) / std::sqrt(var + 1e-5) * w[i] + b[i];
  }
  return y;
}

TEST(RowKernel, LayerNormWithWeights) {
  std::vector<double> x = normal(26 * 129, 4), w = normal(129, 5),
                      b = normal(129, 6);
  expectAllPlans(layerNormSpec(DType::f32, 26, 129), {x, w, b},
                 {layerNorm(x, w, b)}, f32Bound);
}

// PT-14: the variance is taken about the mean.
TEST(RowKernel, LayerNormWithLargeMean) {
  std::vector<double> x = normal(2 * 4096, 7, 0.01, 100), w(4096, 1.0),
                      b(4096, 0.0);
  expectAllPlans(layerNormSpec(DType::f32, 2, 4096), {x, w, b},
                 {layerNorm(x, w, b)}, 2e-3);
}

// KB-08: rows of 46 bf16 are not 16-byte aligned.
TEST(RowKernel, LayerNormOfUnalignedRows) {
  std::vector<double> x =
      decode(encode(normal(17 * 46, 8), DType::bf16), DType::bf16);
  std::vector<double> w(46, 1.5), b(46, 0.25);
  expectAllPlans(layerNormSpec(DType::bf16, 17, 46), {x, w, b},
                 {layerNorm(x, w, b)}, bf16Bound);
}

TEST(RowKernel, RmsNormAsWritten) {
  SpecBuilder s;
  auto w = s.arg(DType::f32, {65}), x = s.arg(DType::f32, {3, 21, 65});
  auto q = s.op("aten.pow.Tensor_Scalar", {x, 2}, DType::f32, {3, 21, 65});
  auto m = s.op("aten.mean.dim", {q, IntList{-1}, true, none}, DType::f32,
                {3, 21, 1});
  auto e = s.op("aten.add.Scalar", {m, 1e-5, 1}, DType::f32, {3, 21, 1});
  auto r = s.op("aten.rsqrt", {e}, DType::f32, {3, 21, 1});
  auto n = s.op("aten.mul.Tensor", {x, r}, DType::f32, {3, 21, 65});
  s.result(s.op("aten.mul.Tensor", {n, w}, DType::f32, {3, 21, 65}));
  std::vector<double> wv = normal(65, 9), xv = normal(63 * 65, 10), y;
  for (size_t row = 0; row < 63; ++row) {
    double sum = 0;
    for (size_t i = 0; i < 65; ++i)
      sum += xv[row * 65 + i] * xv[row * 65 + i];
    for (size_t i = 0; i < 65; ++i)
      y.push_back(xv[row * 65 + i] / std::sqrt(sum / 65 + 1e-5) * wv[i]);
  }
  expectAllPlans(s.spec, {wv, xv}, {y}, f32Bound);
}

TEST(RowKernel, SumKeepsNoDimension) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {5, 7, 33});
  s.result(s.op("aten.sum.dim_IntList", {x, IntList{2}, false, none},
                DType::f32, {5, 7}));
  std::vector<double> xv = normal(35 * 33, 11), y(35, 0.0);
  for (size_t i = 0; i < xv.size(); ++i)
    y[i / 33] += xv[i];
  expectAllPlans(s.spec, {xv}, {y}, f32Bound);
}

// PT-13: 8-bit extrema, signed and unsigned, and where they lie.
TEST(RowKernel, ExtremaOfBytes) {
  std::vector<double> v = {5,   1,   100, 3, 7, 8,  9,  13, 100,
                           120, 127, 2,   6, 4, 11, 12, 90, 200};
  for (DType type : {DType::u8, DType::i8}) {
    if (type == DType::i8)
      for (double &value : v)
        value = -std::min(value, 127.0);
    SpecBuilder s;
    auto x = s.arg(type, {1, 18});
    s.result(s.op("aten.amax", {x, IntList{1}, false}, type, {1}));
    s.result(s.op("aten.amin", {x, IntList{1}, false}, type, {1}));
    s.result(s.op("aten.argmax", {x, 1, false}, DType::i64, {1}));
    s.result(s.op("aten.argmin", {x, 1, false}, DType::i64, {1}));
    auto at = [&](auto it) { return double(it - v.begin()); };
    auto top = std::max_element(v.begin(), v.end());
    auto low = std::min_element(v.begin(), v.end());
    expectAllPlans(s.spec, {v}, {{*top}, {*low}, {at(top)}, {at(low)}}, 0);
  }
}

} // namespace
} // namespace kclaw::test
