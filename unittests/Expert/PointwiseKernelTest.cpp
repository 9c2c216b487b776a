//===- PointwiseKernelTest.cpp - Element-wise chains ----------------------===//
//
// Generated kernels, emulated on the CPU, against loops in double.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"

namespace kclaw::test {
namespace {

constexpr double f32Bound = 1e-6;

TEST(PointwiseKernel, ReluKeepsNan) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {1023});
  s.result(s.op("aten.relu", {x}, DType::f32, {1023}));
  std::vector<double> v = normal(1023, 1), y;
  v[5] = NAN;
  v[1022] = NAN;
  v[7] = -INFINITY;
  for (double value : v)
    y.push_back(value < 0 ? 0 : value);
  expectAllPlans(s.spec, {v}, {y}, 0);
}

TEST(PointwiseKernel, GeluChainWithBroadcastBias) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {6, 20}), b = s.arg(DType::f32, {20});
  auto h = s.op("aten.add.Tensor", {x, b, 2}, DType::f32, {6, 20});
  auto g = s.op("aten.gelu", {h, "none"}, DType::f32, {6, 20});
  s.result(s.op("aten.mul.Scalar", {g, 0.5}, DType::f32, {6, 20}));
  s.result(h);
  std::vector<double> xv = normal(120, 2), bv = normal(20, 3), y, hv;
  for (size_t i = 0; i < 120; ++i) {
    double v = xv[i] + 2 * bv[i % 20];
    hv.push_back(v);
    y.push_back(0.25 * v * (1 + std::erf(v / std::sqrt(2.0))));
  }
  expectAllPlans(s.spec, {xv, bv}, {y, hv}, f32Bound);
}

TEST(PointwiseKernel, ChannelBroadcastAndRowScalar) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {2, 3, 5, 4}), c = s.arg(DType::f32, {3, 1, 1});
  auto r = s.arg(DType::f32, {2, 1, 1, 1});
  auto p = s.op("aten.mul.Tensor", {x, c}, DType::f32, {2, 3, 5, 4});
  s.result(s.op("aten.sub.Tensor", {p, r, 1}, DType::f32, {2, 3, 5, 4}));
  std::vector<double> xv = normal(120, 4), cv = normal(3, 5), rv = normal(2, 6),
                      y;
  for (size_t i = 0; i < 120; ++i)
    y.push_back(xv[i] * cv[i / 20 % 3] - rv[i / 60]);
  expectAllPlans(s.spec, {xv, cv, rv}, {y}, f32Bound);
}

TEST(PointwiseKernel, TransposedOperand) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {8, 12}), t = s.arg(DType::f32, {12, 8});
  auto p = s.op("aten.permute", {t, IntList{1, 0}}, DType::f32, {8, 12});
  s.result(s.op("aten.add.Tensor", {x, p, 1}, DType::f32, {8, 12}));
  std::vector<double> xv = normal(96, 7), tv = normal(96, 8), y;
  for (size_t i = 0; i < 96; ++i)
    y.push_back(xv[i] + tv[i % 12 * 8 + i / 12]);
  expectAllPlans(s.spec, {xv, tv}, {y}, f32Bound);
}

// PyTorch rounds a 16-bit operator's result before the next one reads it.
TEST(PointwiseKernel, HalfRoundsAfterEveryOperator) {
  SpecBuilder s;
  auto x = s.arg(DType::f16, {3});
  auto y = s.op("aten.add.Scalar", {x, 1, 1}, DType::f16, {3});
  s.result(s.op("aten.sub.Scalar", {y, 1, 1}, DType::f16, {3}));
  expectAllPlans(s.spec, {{std::ldexp(1, -12), std::ldexp(3, -11), 0.5}},
                 {{0, std::ldexp(2, -10), 0.5}}, 0);
}

TEST(PointwiseKernel, MixedTypesPromoteAsTorchDoes) {
  SpecBuilder s;
  auto i = s.arg(DType::i32, {4}), f = s.arg(DType::bf16, {4});
  auto m = s.op("aten.gt.Scalar", {i, 1.5}, DType::boolean, {4});
  auto c = s.op("prims.convert_element_type", {i, 6}, DType::f32, {4});
  auto p = s.op("aten.mul.Tensor", {c, f}, DType::f32, {4});
  s.result(s.op("aten.where.ScalarOther", {m, p, -1.0}, DType::f32, {4}));
  s.result(m);
  expectAllPlans(s.spec, {{1, 2, -3, 4}, {0.5, 0.5, 0.5, 0.25}},
                 {{-1, 1, -1, 1}, {0, 1, 0, 1}}, 0);
}

TEST(PointwiseKernel, LongIntegersStayLong) {
  SpecBuilder s;
  auto a = s.op("aten.arange.start_step", {0, 11, 1, none, none, none, none},
                DType::i64, {11});
  auto k = s.arg(DType::i64, {1});
  s.result(s.op("aten.mul.Tensor", {a, k}, DType::i64, {11}));
  std::vector<double> y;
  for (int i = 0; i < 11; ++i)
    y.push_back(i * 1e9);
  expectAllPlans(s.spec, {{1e9}}, {y}, 0);
}

} // namespace
} // namespace kclaw::test
