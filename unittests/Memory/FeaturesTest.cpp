//===- FeaturesTest.cpp - What is seen in graph, plan, PTX and profile ----===//
#include "kernelclaw/Memory/Features.h"

#include "Memory/Names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kclaw {
namespace {

/// Graphs by a few calls; values are added as they are named.
class SpecBuilder {
public:
  int argument(std::vector<int64_t> shape, DType dtype = DType::f32,
               Role role = Role::Input) {
    int value = add(shape, dtype);
    spec.graph.arguments.push_back(value);
    spec.arguments.push_back(
        {"a" + std::to_string(value), dtype, dims(shape), 16, role, {}});
    return value;
  }
  int op(const std::string &name, std::vector<GraphOperand> operands,
         std::vector<int64_t> shape, DType dtype = DType::f32) {
    int value = add(shape, dtype);
    spec.graph.ops.push_back({name, std::move(operands), {value}});
    return value;
  }
  KernelSpec result(int value) {
    const GraphValue &made = spec.graph.values[size_t(value)];
    spec.graph.results = {value};
    spec.results = {{"y", made.dtype, dims(made.shape), 16, Role::Input, {}}};
    spec.bytes = 1 << 20;
    spec.flops = 1 << 21;
    return spec;
  }
  static GraphOperand v(int value) { return {{value}, {}}; }
  static GraphOperand l(Literal literal) { return {{}, std::move(literal)}; }

  KernelSpec spec;

private:
  int add(const std::vector<int64_t> &shape, DType dtype) {
    spec.graph.values.push_back({dtype, shape});
    return int(spec.graph.values.size()) - 1;
  }
  static std::vector<Dim> dims(const std::vector<int64_t> &shape) {
    std::vector<Dim> dims;
    for (size_t i = 0; i < shape.size(); ++i)
      dims.push_back({"d" + std::to_string(shape[i]), shape[i], 0, 0, {}});
    return dims;
  }
};

using B = SpecBuilder;
using List = std::vector<int64_t>;

std::map<std::string, double> featuresOf(const KernelSpec &spec) {
  return extractFeatures({spec});
}

TEST(GraphFeatures, PointwiseChain) {
  B b;
  int x = b.argument({64, 1000});
  int y = b.op("aten.tanh", {B::v(x)}, {64, 1000});
  int z = b.op("aten.mul.Tensor", {B::v(y), B::v(x)}, {64, 1000});
  auto f = featuresOf(b.result(z));
  EXPECT_EQ(f["isPointwise"], 1);
  EXPECT_EQ(f["graph"], 0);
  EXPECT_EQ(f["pointwiseOps"], 2);
  EXPECT_EQ(f["transcendentals"], 1);
  EXPECT_EQ(f["sharedOperands"], 1);
  EXPECT_EQ(f["rows"], 64000);
  EXPECT_EQ(f["reductionLength"], 1);
  EXPECT_EQ(f["alignedRows"], 1);
  EXPECT_EQ(f["intensity"], 2);
  EXPECT_FALSE(f.contains("gemmM"));
  EXPECT_FALSE(f.contains("kernels"));
}

TEST(GraphFeatures, RowsOfThreeBytesMoreAreNotAligned) {
  B b;
  int x = b.argument({64, 1001});
  auto f = featuresOf(b.result(b.op("aten.relu", {B::v(x)}, {64, 1001})));
  EXPECT_EQ(f["alignedRows"], 0);
}

struct ReductionRow {
  const char *op;
  std::vector<GraphOperand> rest;
  double rows, length, inner;
};

TEST(GraphFeatures, ReductionsByTheirDimensions) {
  const ReductionRow rows[] = {
      {"aten.sum.dim_IntList", {B::l(List{1})}, 8 * 32, 16, 0},
      {"aten.amax", {B::l(List{-1})}, 8 * 16, 32, 1},
      {"aten.mean", {}, 1, 8 * 16 * 32, 1},
      {"aten.softmax.int", {B::l(int64_t(2))}, 8 * 16, 32, 1},
      {"aten.layer_norm", {B::l(List{16, 32})}, 8, 16 * 32, 1},
      {"aten.batch_norm", {}, 16, 8 * 32, 1},
      {"aten.group_norm", {B::l(int64_t(4))}, 8 * 4, 4 * 32, 1},
      {"aten.instance_norm", {}, 8 * 16, 32, 1},
      {"aten.linalg_vector_norm", {B::l(2.0), B::l(List{1})}, 8 * 32, 16, 0},
      {"aten.cross_entropy_loss", {}, 8 * 32, 16, 0},
      {"aten.cumsum", {B::l(int64_t(1))}, 8 * 32, 16, 0}};
  for (const ReductionRow &row : rows) {
    B b;
    std::vector<GraphOperand> operands = {B::v(b.argument({8, 16, 32}))};
    operands.insert(operands.end(), row.rest.begin(), row.rest.end());
    auto f = featuresOf(b.result(b.op(row.op, operands, {8, 16, 32})));
    EXPECT_EQ(f["rows"], row.rows) << row.op;
    EXPECT_EQ(f["reductionLength"], row.length) << row.op;
    EXPECT_EQ(f["reducesInner"], row.inner) << row.op;
    EXPECT_EQ(f["isPointwise"], 0) << row.op;
  }
}

TEST(GraphFeatures, LinearWithEpilogue) {
  B b;
  int x = b.argument({32, 128, 512});
  int w = b.argument({256, 512}, DType::f32, Role::Param);
  int y = b.op("aten.linear", {B::v(x), B::v(w), B::l(std::monostate())},
               {32, 128, 256});
  auto f = featuresOf(b.result(b.op("aten.relu", {B::v(y)}, {32, 128, 256})));
  EXPECT_EQ(f["isContraction"], 1);
  EXPECT_EQ(f["gemmM"], 32 * 128);
  EXPECT_EQ(f["gemmN"], 256);
  EXPECT_EQ(f["gemmK"], 512);
  EXPECT_EQ(f["gemmBatch"], 1);
  EXPECT_EQ(f["epilogueOps"], 1);
  EXPECT_EQ(f["prologueOps"], 0);
  EXPECT_EQ(f["constantOperand"], 1);
  EXPECT_EQ(f["f32Contraction"], 1);
  EXPECT_EQ(f["tensorCoresAllowed"], 0);
  b.spec.policy = Policy::Tf32;
  EXPECT_EQ(featuresOf(b.spec)["tensorCoresAllowed"], 1);
}

TEST(GraphFeatures, ConvolutionsAsProducts) {
  B b;
  int x = b.argument({4, 64, 30, 30});
  int w = b.argument({128, 64, 3, 3}, DType::f32, Role::Param);
  int y = b.op("aten.convolution",
               {B::v(x), B::v(w), B::l(std::monostate()), B::l(List{1, 1}),
                B::l(List{0, 0}), B::l(List{1, 1}), B::l(false),
                B::l(List{0, 0}), B::l(int64_t(1))},
               {4, 128, 28, 28});
  auto f = featuresOf(b.result(y));
  EXPECT_EQ(f["isConvolution"], 1);
  EXPECT_EQ(f["isDepthwise"], 0);
  EXPECT_EQ(f["gemmM"], 4 * 28 * 28);
  EXPECT_EQ(f["gemmN"], 128);
  EXPECT_EQ(f["gemmK"], 64 * 9);
  EXPECT_EQ(f["windowElements"], 9);
  EXPECT_EQ(f["windowOverlap"], 1);
  EXPECT_EQ(f["tensorCoresAllowed"], 1) << "TF32 is PyTorch's default there";
}

TEST(GraphFeatures, DepthwiseHasOneChannelAGroup) {
  B b;
  int x = b.argument({4, 64, 30, 30});
  int w = b.argument({64, 1, 3, 3}, DType::f32, Role::Param);
  int y = b.op("aten.conv2d",
               {B::v(x), B::v(w), B::l(std::monostate()), B::l(List{3, 3}),
                B::l(List{0, 0}), B::l(List{1, 1}), B::l(int64_t(64))},
               {4, 64, 10, 10});
  auto f = featuresOf(b.result(y));
  EXPECT_EQ(f["isDepthwise"], 1);
  EXPECT_EQ(f["gemmK"], 9);
  EXPECT_EQ(f["windowOverlap"], 0) << "stride 3 of a window of 3";
}

TEST(GraphFeatures, AttentionByPartsIsOneWorkAndNotAGraph) {
  B b;
  int q = b.argument({8, 128, 64}), k = b.argument({8, 64, 128}),
      v = b.argument({8, 128, 64});
  int s = b.op("aten.bmm", {B::v(q), B::v(k)}, {8, 128, 128});
  int d = b.op("aten.div.Scalar", {B::v(s), B::l(8.0)}, {8, 128, 128});
  int p = b.op("aten.softmax.int", {B::v(d), B::l(int64_t(-1))}, {8, 128, 128});
  auto f =
      featuresOf(b.result(b.op("aten.bmm", {B::v(p), B::v(v)}, {8, 128, 64})));
  EXPECT_EQ(f["isAttention"], 1);
  EXPECT_EQ(f["isContraction"], 0);
  EXPECT_EQ(f["graph"], 0);
  EXPECT_EQ(f["gemmBatch"], 8);
}

TEST(GraphFeatures, AnAttentionOpHasTheSizesOfItsScores) {
  B b;
  int q = b.argument({2, 3, 100, 64}, DType::bf16);
  int k = b.argument({2, 3, 200, 64}, DType::bf16);
  int y = b.op("aten.scaled_dot_product_attention", {B::v(q), B::v(k), B::v(k)},
               {2, 3, 100, 64}, DType::bf16);
  auto f = featuresOf(b.result(y));
  EXPECT_EQ(f["gemmM"], 100);
  EXPECT_EQ(f["gemmN"], 200);
  EXPECT_EQ(f["gemmK"], 64);
  EXPECT_EQ(f["gemmBatch"], 6);
  EXPECT_EQ(f["rows"], 600);
  EXPECT_EQ(f["reductionLength"], 200);
  EXPECT_EQ(f["reducesInner"], 1);
}

TEST(GraphFeatures, TwoProductsOfOneInputAreAGraph) {
  B b;
  int x = b.argument({64, 64}), w = b.argument({64, 64}),
      u = b.argument({64, 64});
  int y = b.op("aten.mm", {B::v(x), B::v(w)}, {64, 64});
  int z = b.op("aten.mm", {B::v(x), B::v(u)}, {64, 64});
  auto f = featuresOf(
      b.result(b.op("aten.add.Tensor", {B::v(y), B::v(z)}, {64, 64})));
  EXPECT_EQ(f["graph"], 1);
  EXPECT_EQ(f["sameInputContractions"], 2);
}

TEST(GraphFeatures, ASpecWithoutAGraphSaysNothingOfItsOps) {
  KernelSpec spec;
  spec.bytes = 1024;
  auto f = featuresOf(spec);
  EXPECT_FALSE(f.contains("isPointwise"));
  EXPECT_EQ(f["minimalBytes"], 1024);
}

constexpr const char *ptx = R"(.version 8.0
.visible .entry other(.param .u64 p) {
	ld.global.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1];
	mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {};
}
.visible .entry k(.param .u64 p)
{
	.reg .f32 %f<4>;
	cp.async.cg.shared.global [%r1], [%rd1], 16;
$L__BB0_1:
	ld.global.nc.v2.f32 	{%f1, %f2}, [%rd1];
	ld.shared.f32 	%f3, [%r2];
	div.s32 	%r3, %r4, %r5;
	ex2.approx.ftz.f32 	%f1, %f2;
	bar.sync 	0;
	shfl.sync.bfly.b32 	%r6, %r7, 16, 31, -1;
	st.global.f32 	[%rd2], %f1;
	red.global.add.f32 	[%rd2], %f1;
	@%p1 bra 	$L__BB0_1;
	bra 	$L__BB0_2;
$L__BB0_2:
	ret;
}
)";

Plan onePlan() {
  Plan plan;
  plan.modules = {{"m", PlanModule::Kind::Cuda, ""}};
  KernelStep step;
  step.module = "m";
  step.entry = "k";
  step.grid = {Expr("ceildiv(d64, 2)"), Expr(1), Expr(1)};
  step.block = {Expr("T"), Expr(1), Expr(1)};
  plan.tunables = {{"T", {128, 256}, 256}};
  plan.buffers = {{"w", PlanBuffer::Kind::Workspace, -1, Expr("d64 * 4"), {}}};
  plan.steps = {step};
  return plan;
}

KernelSpec oneSpec() {
  B b;
  int x = b.argument({64, 1000});
  return b.result(b.op("aten.relu", {B::v(x)}, {64, 1000}));
}

TEST(PtxFeatures, OpcodesOfTheKernelAlone) {
  Evaluation evaluation;
  evaluation.images = {{"m", "sm_90a", ptx, {}, {}}};
  KernelSpec spec = oneSpec();
  Plan plan = onePlan();
  auto f = extractFeatures({spec, &plan, &evaluation});
  EXPECT_EQ(f["loadBits"], 64);
  EXPECT_EQ(f["storeBits"], 32);
  EXPECT_EQ(f["tensorCoreCode"], 0);
  EXPECT_EQ(f["asyncCopy"], 1);
  EXPECT_EQ(f["integerDivisions"], 1);
  EXPECT_EQ(f["approximateMath"], 1);
  EXPECT_EQ(f["barriers"], 1);
  EXPECT_EQ(f["shuffles"], 1);
  EXPECT_EQ(f["atomics"], 1);
  EXPECT_EQ(f["sharedAccesses"], 1);
  EXPECT_EQ(f["sinkLoads"], 1);
  EXPECT_EQ(f["loops"], 1);
  EXPECT_EQ(f["ptxInstructions"], 12);
}

TEST(PlanFeatures, CountsStepsAndSizes) {
  KernelSpec spec = oneSpec();
  Plan plan = onePlan();
  RepeatStep repeat;
  repeat.name = "i";
  repeat.count = Expr(10);
  repeat.steps = {plan.steps.front(), MatmulStep{}};
  plan.steps.push_back(repeat);
  auto f = extractFeatures({spec, &plan});
  EXPECT_EQ(f["kernels"], 2);
  EXPECT_EQ(f["libraryCalls"], 1);
  EXPECT_EQ(f["launches"], 21);
  EXPECT_EQ(f["repeats"], 1);
  EXPECT_EQ(f["workspaceBytes"], 256);
  EXPECT_EQ(f["gridBlocks"], 32);
  EXPECT_EQ(f["blockThreads"], 256);
}

KernelProfile kernelProfile(const std::string &name, double microseconds) {
  KernelProfile kernel;
  kernel.kernel = name;
  kernel.grid = {264, 1, 1};
  kernel.block = {256, 1, 1};
  kernel.registers = 40;
  kernel.blocksPerMultiprocessor = 4;
  kernel.occupancyLimit = "registers, block size";
  kernel.medianMicroseconds = microseconds;
  kernel.counters = {{"dramThroughput", microseconds}};
  return kernel;
}

TEST(ProfileFeatures, AreThoseOfTheHottestKernel) {
  KernelSpec spec = oneSpec();
  Evaluation evaluation;
  evaluation.profile.kernels = {kernelProfile("a", 10), kernelProfile("b", 12),
                                kernelProfile("a", 18)};
  evaluation.time.medianMicroseconds = 100;
  evaluation.copyTime.medianMicroseconds = 50;
  evaluation.profile.roofline.headroom = 2.5;
  evaluation.profile.roofline.boundBy = "memory";
  Facts facts = {{"sms", 132}, {"tma", 1}};
  auto f = extractFeatures({spec, nullptr, &evaluation, &facts});
  EXPECT_EQ(f["hottestShare"], 0.7);
  EXPECT_EQ(f["dramThroughput"], 18) << "of its longest launch";
  EXPECT_EQ(f["limitedByRegisters"], 1);
  EXPECT_EQ(f["limitedByShared"], 0);
  EXPECT_EQ(f["waves"], 0.5);
  EXPECT_EQ(f["headroom"], 2) << "a copy is nearer than the roofline";
  EXPECT_EQ(f["copyRatio"], 2);
  EXPECT_EQ(f["memoryBound"], 1);
  EXPECT_EQ(f["hasTma"], 1);
  EXPECT_FALSE(f.contains("hasWgmma"));
}

TEST(ProfileFeatures, OfSeveralKernelsWithoutTimesNoneIsTheHottest) {
  KernelSpec spec = oneSpec();
  Evaluation evaluation;
  evaluation.profile.kernels = {kernelProfile("a", 0), kernelProfile("b", 0)};
  auto f = extractFeatures({spec, nullptr, &evaluation});
  EXPECT_FALSE(f.contains("registers"));
  EXPECT_FALSE(f.contains("dramThroughput"));
}

TEST(TimeFeatures, HeadroomFromFactsWhereNoRooflineWasMade) {
  KernelSpec spec = oneSpec();
  spec.bytes = 48e6;
  Evaluation evaluation;
  evaluation.time.medianMicroseconds = 20;
  Facts facts = {{"peak_gbps", 4800}, {"fp32_tflops", 67}};
  auto f = extractFeatures({spec, nullptr, &evaluation, &facts});
  EXPECT_NEAR(f["headroom"], 2, 1e-9);
}

TEST(TimeFeatures, ACopyTakesItsLaunchToo) {
  KernelSpec spec = oneSpec();
  Evaluation evaluation;
  evaluation.time.medianMicroseconds = 6;
  evaluation.copyTime.medianMicroseconds = 3;
  evaluation.profile.roofline.headroom = 60; // of a region of some kilobytes
  Facts facts = {{"peak_gbps", 4800}, {"copy_gbps", 4000}};
  auto f = extractFeatures({spec, nullptr, &evaluation, &facts});
  EXPECT_NEAR(f["headroom"], 2.4, 1e-9) << "as a multiple of the pins' bound";
}

/// Facts of an H200 that occupancy and bounds need.
const Facts someHardware = {{"sms", 132},        {"registers", 65536},
                            {"threads", 2048},   {"blocks", 32},
                            {"peak_gbps", 4800}, {"copy_gbps", 4800},
                            {"fp32_tflops", 67}, {"shared_bytes", 232448}};

TEST(ReducedFeatures, ResourcesAndOccupancyAreTheRegions) {
  KernelSpec spec = oneSpec();
  Plan plan = onePlan();
  Evaluation evaluation;
  evaluation.evidence = Evidence::SimulatedReduced;
  const auto *step = std::get_if<KernelStep>(&plan.steps.front());
  ASSERT_TRUE(step);
  evaluation.resources = {{step->entry, 64, 8, 1024, 0}};
  evaluation.profile.kernels = {kernelProfile(step->entry, 5)};
  auto f = extractFeatures({spec, &plan, &evaluation, &someHardware});
  ASSERT_TRUE(f.contains("blockThreads"));
  EXPECT_EQ(f["registers"], 64);
  EXPECT_EQ(f["spillBytes"], 8);
  EXPECT_FALSE(f.contains("dramThroughput")) << "of the reduced sizes";
  double warps = std::ceil(f["blockThreads"] / 32);
  EXPECT_EQ(f["blocksPerMultiprocessor"],
            std::min(32.0, std::floor(32 / warps)))
      << "64 registers a thread let 32 warps in";
  EXPECT_TRUE(f.contains("waves"));
}

TEST(ReducedFeatures, HeadroomIsSaidOnlyWhereLaunchingDoesNotHideIt) {
  KernelSpec spec = oneSpec();
  Plan plan = onePlan();
  Evaluation evaluation;
  evaluation.evidence = Evidence::SimulatedReduced;
  auto with = [&](double time, double copy) {
    evaluation.time.medianMicroseconds = time;
    evaluation.copyTime.medianMicroseconds = copy;
    auto f = extractFeatures({spec, &plan, &evaluation, &someHardware});
    EXPECT_EQ(f["memoryBound"], 1);
    EXPECT_FALSE(f.contains("microseconds"));
    return f.contains("headroom") ? f["headroom"] : 0;
  };
  EXPECT_EQ(with(3.6, 3), 0);
  EXPECT_EQ(with(12, 10), 1.2);
  EXPECT_EQ(with(30, 3), 10);
}

TEST(Features, AllThatAreExtractedAreInTheTable) {
  KernelSpec spec = oneSpec();
  Plan plan = onePlan();
  Evaluation evaluation;
  evaluation.images = {{"m", "sm_90a", ptx, {}, {}}};
  evaluation.profile.kernels = {kernelProfile("k", 5)};
  evaluation.time.medianMicroseconds = 5;
  Facts facts = {{"sms", 132}, {"l2_bytes", 1e6}};
  for (const auto &[name, value] :
       extractFeatures({spec, &plan, &evaluation, &facts}))
    EXPECT_TRUE(isFeature(name) || isCounter(name)) << name;
}

} // namespace
} // namespace kclaw
