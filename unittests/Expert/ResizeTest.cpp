//===- ResizeTest.cpp - Plans at other sizes than they were made for ------===//
//
// A plan made for a large region computes the small region of the same names,
// wherever its requirements hold.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"

namespace kclaw::test {
namespace {

using Make = KernelSpec (*)(int64_t rows, int64_t cols);

KernelSpec named(KernelSpec spec, int64_t rows, int64_t cols) {
  for (auto *tensors : {&spec.arguments, &spec.results})
    for (TensorSpec &tensor : *tensors)
      for (Dim &dim : tensor.dims)
        dim.name = dim.value == rows   ? "rows_"
                   : dim.value == cols ? "cols_"
                                       : "one";
  return spec;
}

KernelSpec softmax(int64_t rows, int64_t cols) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {rows, cols});
  s.result(s.op("aten.softmax.int", {x, -1, none}, DType::f32, {rows, cols}));
  return named(s.spec, rows, cols);
}

KernelSpec leadingSoftmax(int64_t rows, int64_t cols) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {rows, cols});
  s.result(s.op("aten.softmax.int", {x, 0, none}, DType::f32, {rows, cols}));
  return named(s.spec, rows, cols);
}

KernelSpec layerNorm(int64_t rows, int64_t cols) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {rows, cols});
  auto w = s.arg(DType::f32, {cols}), b = s.arg(DType::f32, {cols});
  s.result(s.op("aten.layer_norm", {x, IntList{cols}, w, b, 1e-5, false},
                DType::f32, {rows, cols}));
  return named(s.spec, rows, cols);
}

KernelSpec rowSum(int64_t rows, int64_t cols) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {rows, cols});
  s.result(s.op("aten.sum.dim_IntList", {x, IntList{1}, true, none}, DType::f32,
                {rows, 1}));
  return named(s.spec, rows, cols);
}

KernelSpec biasRelu(int64_t rows, int64_t cols) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {rows, cols}), b = s.arg(DType::f32, {cols});
  auto h = s.op("aten.add.Tensor", {x, b, 1}, DType::f32, {rows, cols});
  s.result(s.op("aten.relu", {h}, DType::f32, {rows, cols}));
  return named(s.spec, rows, cols);
}

KernelSpec relu(int64_t rows, int64_t cols) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {rows, cols});
  s.result(s.op("aten.relu", {x}, DType::f32, {rows, cols}));
  return named(s.spec, rows, cols);
}

bool holdsAt(const Plan &plan, int64_t rows, int64_t cols) {
  Bindings sizes{{"rows_", rows}, {"cols_", cols}, {"one", 1}};
  for (const std::string &requirement : plan.requirements)
    if (Expr(requirement).evaluate(sizes).value_or(0) == 0)
      return false;
  return true;
}

/// How many plans for the large region ran at the small sizes, and agreed with
/// the first plan made for these.
int countResized(Make make, int64_t rows, int64_t cols) {
  KernelSpec small = make(rows, cols);
  std::vector<std::vector<double>> arguments;
  for (const TensorSpec &tensor : small.arguments)
    arguments.push_back(
        normal(size_t(tensor.dims.size() == 1 ? cols : rows * cols),
               unsigned(arguments.size()) + 1));
  std::vector<std::vector<double>> want =
      emulate(plansOf(small).front(), small, arguments).results;
  int resized = 0;
  for (const Plan &plan : plansOf(make(4096, 16384))) {
    EXPECT_TRUE(plan.resizable) << plan.title;
    EXPECT_TRUE(holdsAt(plan, 4096, 16384)) << plan.title;
    bool together = std::get<KernelStep>(plan.steps[0]).cluster[0].str() != "1";
    if (!holdsAt(plan, rows, cols) || together)
      continue;
    EmulationResult run = emulate(plan, small, arguments);
    EXPECT_EQ(run.error, "") << plan.title;
    EXPECT_EQ(run.results.size(), want.size());
    for (size_t i = 0; i < want.size() && i < run.results.size(); ++i)
      expectClose(run.results[i], want[i], 1e-5, plan.title);
    ++resized;
  }
  return resized;
}

TEST(Resize, PlansServeSmallerSizesThatFitTheirPackets) {
  for (Make make : {softmax, layerNorm, rowSum, biasRelu, relu})
    EXPECT_GE(countResized(make, 7, 24), 1);
  EXPECT_GE(countResized(leadingSoftmax, 9, 8), 1);
}

TEST(Resize, PlansWithoutPacketsAcrossRowsServeOddSizes) {
  EXPECT_EQ(countResized(relu, 7, 13), 1);
  EXPECT_EQ(countResized(softmax, 7, 13), 0); // packets of four
}

TEST(Resize, ADimensionThatAViewCutsKeepsItsSize) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {4096, 16384});
  auto v = s.op("aten.view", {x, IntList{4096, 128, 128}}, DType::f32,
                {4096, 128, 128});
  s.result(
      s.op("aten.softmax.int", {v, -1, none}, DType::f32, {4096, 128, 128}));
  for (const Plan &plan : plansOf(named(s.spec, 4096, 16384)))
    EXPECT_THAT(plan.requirements, testing::Contains("cols_ == 16384"));
}

TEST(Resize, OneSizeForTwoNamesIsRequired) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {64, 512}), y = s.arg(DType::f32, {64, 512});
  s.result(s.op("aten.add.Tensor", {x, y, 1}, DType::f32, {64, 512}));
  s.spec.arguments[1].dims[0].name = "other";
  for (const Plan &plan : plansOf(s.spec))
    EXPECT_THAT(plan.requirements, testing::Contains("n64 == other"));
}

} // namespace
} // namespace kclaw::test
