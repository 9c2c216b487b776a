//===- ContractionTest.cpp - Contractions as the skeletons see them -------===//
//
// Axes, directions and widths of operands, what is refused and why, and which
// tiles come first. Right numbers: unittests/SimCuda/Skeletons/GemmTest.cpp.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"

#include <set>

namespace kclaw::test {
namespace {

KernelSpec linear(DType type, int64_t m, int64_t n, int64_t k) {
  SpecBuilder s;
  auto x = s.arg(type, {m, k}), w = s.arg(type, {n, k}), b = s.arg(type, {n});
  auto y = s.op("aten.linear", {x, w, b}, type, {m, n});
  s.result(s.op("aten.relu", {y}, type, {m, n}));
  return s.spec;
}

std::string refusal(const KernelSpec &spec) {
  Expected<expert::Region> region = expert::analyse(spec, memoryBank());
  return region ? "" : region.error().message;
}

expert::Region regionOf(const KernelSpec &spec) {
  return *expert::analyse(spec, memoryBank());
}

/// Facts, tunables and derived numbers of the best candidate.
Bindings best(const KernelSpec &spec) {
  static expert::Region region;
  region = regionOf(spec);
  return expert::rankCandidates(region, memoryBank())->at(0).names;
}

TEST(Contraction, OperandsHaveDirectionsAndWidths) {
  SpecBuilder s;
  auto x = s.arg(DType::f16, {64, 36}), w = s.arg(DType::f16, {36, 40});
  s.result(s.op("aten.mm", {x, w}, DType::f16, {64, 40}));
  expert::Region region = regionOf(s.spec);
  EXPECT_TRUE(region.factors[0].depthwise);
  EXPECT_EQ(region.factors[0].width, 4); // rows of 72 bytes
  EXPECT_FALSE(region.factors[1].depthwise);
  EXPECT_EQ(region.factors[1].width, 8);
  EXPECT_THAT(region.factors[0].requirements,
              testing::Contains("n36 % 4 == 0"));
  EXPECT_TRUE(regionOf(linear(DType::f16, 64, 40, 33)).factors[1].depthwise);
  EXPECT_EQ(regionOf(linear(DType::f16, 64, 40, 33)).factors[1].width, 1);
}

TEST(Contraction, BatchIsWhatBothOperandsHave) {
  SpecBuilder s;
  auto a = s.arg(DType::f32, {4, 5, 60, 16}),
       b = s.arg(DType::f32, {5, 16, 24});
  s.result(s.op("aten.matmul", {a, b}, DType::f32, {4, 5, 60, 24}));
  expert::Region region = regionOf(s.spec);
  EXPECT_EQ(region.program.atoms.size(region.schedule.batch), 5);
  EXPECT_EQ(region.factors[0].size.value, 4 * 60);
  EXPECT_EQ(region.factors[1].size.value, 24);
}

TEST(Contraction, PrecisionFollowsThePolicy) {
  auto skeletons = [](KernelSpec spec) {
    std::set<std::string> names;
    for (const Plan &plan : plansOf(spec))
      names.insert(plan.title.substr(0, plan.title.find(':')));
    return names;
  };
  KernelSpec spec = linear(DType::f32, 256, 256, 256);
  EXPECT_THAT(skeletons(spec),
              testing::ElementsAre("gemm_bf16x6_wgmma", "gemm_tf32x3"));
  spec.policy = Policy::Tf32;
  EXPECT_THAT(skeletons(spec), testing::ElementsAre("gemm_tf32"));
  EXPECT_THAT(skeletons(linear(DType::bf16, 256, 256, 256)),
              testing::ElementsAre("gemm_half", "gemm_half_wgmma"));
}

TEST(Contraction, TilesFollowTheSizes) {
  Bindings large = best(linear(DType::f16, 8192, 8192, 4096));
  EXPECT_GE(large["BM"] * large["BN"], 128 * 128);
  EXPECT_EQ(large["SPLITS"], 1);
  Bindings deep = best(linear(DType::f16, 256, 256, 65536));
  EXPECT_GT(deep["SPLITS"], 1);
  EXPECT_GE(deep["SPLITS"] * deep["tiles"], 64);
  Bindings flat = best(linear(DType::f16, 16, 4096, 4096));
  EXPECT_LE(flat["BM"], 64);
  EXPECT_GE(flat["tiles"] * flat["SPLITS"], 64);
}

TEST(Contraction, SplitsAreClusters) {
  KernelSpec spec = linear(DType::f16, 256, 256, 65536);
  Plan plan = plansOf(spec).front();
  const KernelStep &step = std::get<KernelStep>(plan.steps[0]);
  EXPECT_EQ(step.cluster[0].str(), std::to_string(best(spec)["SPLITS"]));
}

TEST(Contraction, PlansServeOtherSizesThatFitTheirCopies) {
  Plan plan = plansOf(linear(DType::f16, 512, 768, 256)).front();
  EXPECT_TRUE(plan.resizable);
  EXPECT_THAT(plan.requirements, testing::Contains("n256 % 8 == 0"));
  EXPECT_THAT(plan.requirements, testing::Contains("n768 % 8 == 0"));
  EXPECT_THAT(plan.requirements,
              testing::Not(testing::Contains("n512 % 8 == 0")));
  EXPECT_THAT(
      std::get<KernelStep>(plan.steps[0]).grid[0].str(),
      testing::AllOf(testing::HasSubstr("n512"), testing::HasSubstr("n768")));
}

TEST(Contraction, RefusalsSayWhy) {
  auto with = [](auto build) {
    SpecBuilder s;
    build(s);
    return refusal(s.spec);
  };
  const DType f32 = DType::f32;
  EXPECT_THAT(with([&](SpecBuilder &s) {
                auto x = s.arg(f32, {8, 8}), w = s.arg(f32, {8, 8});
                auto r = s.op("aten.relu", {x}, f32, {8, 8});
                s.result(s.op("aten.mm", {r, w}, f32, {8, 8}));
              }),
              testing::HasSubstr("contracts 'a', which is no argument"));
  EXPECT_THAT(with([&](SpecBuilder &s) {
                auto x = s.arg(f32, {8, 16}), w = s.arg(f32, {16, 8}),
                     v = s.arg(f32, {16, 8});
                auto p = s.op("aten.mm", {x, w}, f32, {8, 8});
                auto q = s.op("aten.mm", {x, v}, f32, {8, 8});
                s.result(s.op("aten.mul.Tensor", {p, q}, f32, {8, 8}));
              }),
              testing::HasSubstr("two contractions"));
  EXPECT_THAT(with([&](SpecBuilder &s) {
                auto x = s.arg(f32, {8, 16}), w = s.arg(f32, {16, 8});
                auto p = s.op("aten.mm", {x, w}, f32, {8, 8});
                s.result(s.op("aten.softmax.int", {p, -1, none}, f32, {8, 8}));
              }),
              testing::HasSubstr("a reduction in a region with a contraction"));
  EXPECT_THAT(with([&](SpecBuilder &s) {
                auto x = s.arg(DType::f64, {8, 16}),
                     w = s.arg(DType::f64, {16, 8});
                s.result(s.op("aten.mm", {x, w}, DType::f64, {8, 8}));
              }),
              testing::HasSubstr("neither f32 nor 16-bit"));
  EXPECT_THAT(with([&](SpecBuilder &s) {
                auto x = s.arg(f32, {8, 16}), w = s.arg(f32, {16, 1});
                s.result(s.op("aten.mm", {x, w}, f32, {8, 1}));
              }),
              testing::HasSubstr("contracts with a vector"));
}

} // namespace
} // namespace kclaw::test
