//===- SkeletonTest.cpp - No report on any expert skeleton ----------------===//
//
// Small regions through every skeleton that serves them, on the simulator with
// all checks. All plans of a region must agree on its results.
//
//===----------------------------------------------------------------------===//
#include "PlanRun.h"

#include <set>

namespace kclaw::test {
namespace {

std::set<std::string> &skeletonsRun() {
  static std::set<std::string> names;
  return names;
}

/// `bound`: plans add up in different orders, in f32.
void expectSilent(const KernelSpec &spec, double bound = 1e-4) {
  std::vector<double> first;
  for (const Plan &plan : plansOf(spec)) {
    try {
      std::vector<double> result = PlanRun(plan, spec).run();
      if (first.empty())
        first = result;
      for (size_t i = 0; i < result.size(); ++i)
        ASSERT_NEAR(result[i], first[i], bound) << plan.title << ", " << i;
      skeletonsRun().insert(plan.title.substr(0, plan.title.find(':')));
    } catch (const std::exception &error) {
      ADD_FAILURE() << plan.title << ": " << error.what();
    }
  }
}

TEST(Skeletons, Pointwise) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {96, 67}), b = s.arg(DType::f32, {67});
  auto h = s.op("aten.add.Tensor", {x, b, 1}, DType::f32, {96, 67});
  s.result(s.op("aten.gelu", {h, "tanh"}, DType::f32, {96, 67}));
  expectSilent(s.spec);
}

TEST(Skeletons, SoftmaxOfRows) {
  for (int64_t columns : {65, 1024, 16384}) {
    SpecBuilder s;
    auto x = s.arg(DType::f32, {9, columns});
    s.result(s.op("aten.softmax.int", {x, -1, none}, DType::f32, {9, columns}));
    expectSilent(s.spec);
  }
}

TEST(Skeletons, SoftmaxOverTheMiddle) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {3, 70, 96});
  s.result(s.op("aten.softmax.int", {x, 1, none}, DType::f32, {3, 70, 96}));
  expectSilent(s.spec);
}

TEST(Skeletons, LayerNorm) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {17, 512});
  auto w = s.arg(DType::f32, {512}), b = s.arg(DType::f32, {512});
  s.result(s.op("aten.layer_norm", {x, IntList{512}, w, b, 1e-5, false},
                DType::f32, {17, 512}));
  expectSilent(s.spec);
}

TEST(Skeletons, SumsOfEverythingAndOfColumns) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {64, 1000});
  s.result(s.op("aten.sum", {x, none}, DType::f32, {}));
  expectSilent(s.spec, 1e-3); // of 64,000 elements
  SpecBuilder t;
  auto y = t.arg(DType::f32, {4096, 32});
  t.result(
      t.op("aten.mean.dim", {y, IntList{0}, false, none}, DType::f32, {32}));
  expectSilent(t.spec);
}

} // namespace
} // namespace kclaw::test
