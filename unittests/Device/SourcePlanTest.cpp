//===- SourcePlanTest.cpp - Plans from comments in CUDA sources -----------===//
#include "Explain/SourcePlan.h"
#include "Explain/ClawComments.h"
#include "Explain/DeviceAnnotation.h"
#include "Explain/KernelSignatures.h"
#include "Explain/SourceTemplate.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <gtest/gtest.h>

using namespace kclaw;

static KernelSpec rowsAndColumns() {
  auto tensor = [](const char *name) {
    TensorSpec spec;
    spec.name = name;
    spec.dims.resize(2);
    spec.dims[0].name = "rows";
    spec.dims[0].value = 64;
    spec.dims[1].name = "cols";
    spec.dims[1].value = 100;
    return spec;
  };
  KernelSpec spec;
  spec.symbol = "softmax";
  spec.arguments = {tensor("x")};
  spec.results = {tensor("y")};
  return spec;
}

static Plan read(const std::string &source) {
  auto plan = planFromSource(source, "k.cu", rowsAndColumns());
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return plan ? *plan : Plan();
}

static std::string errorOf(const std::string &source) {
  auto plan = planFromSource(source, "k.cu", rowsAndColumns());
  return plan ? "none" : plan.error().message;
}

TEST(KernelSignatures, AreFoundWithTheirParameters) {
  auto kernels = findKernels(R"(
// __global__ void comment(int a);
template <int N> __device__ void helper(float *);
extern "C" __global__ void __launch_bounds__(256, 2)
k(const float *__restrict__ x, float* y, long long n, unsigned int m = 3) {}
)");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "k");
  EXPECT_EQ(kernels[0].line, 4u);
  ASSERT_EQ(kernels[0].parameters.size(), 4u);
  EXPECT_EQ(kernels[0].parameters[0].type, "float *");
  EXPECT_EQ(kernels[0].parameters[0].name, "x");
  EXPECT_EQ(kernels[0].parameters[2].type, "long long");
  EXPECT_EQ(kernels[0].parameters[3].type, "unsigned int");
  EXPECT_EQ(kernels[0].parameters[3].name, "m");
}

TEST(ClawComments, KeysValuesAndContinuedLines) {
  auto comments = findClawComments(
      "int a;\n// claw: grid=ceildiv(rows, 4), block=(32, 4) cooperative\n"
      "// claw: args=x,\n//   y,  rows == 4\n// a remark\n",
      "k.cu");
  ASSERT_TRUE(comments);
  ASSERT_EQ(comments->size(), 2u);
  EXPECT_EQ((*comments)[0].line, 2u);
  EXPECT_EQ((*comments)[0].values.at("grid"), "ceildiv(rows, 4)");
  EXPECT_EQ((*comments)[0].values.at("block"), "(32, 4)");
  EXPECT_TRUE((*comments)[0].has("cooperative"));
  EXPECT_EQ((*comments)[1].values.at("args"), "x,    y,  rows == 4");
  EXPECT_EQ(splitList("(32, 4)"), (std::vector<std::string>{"32", "4"}));
  EXPECT_EQ(splitList("ceildiv(n, 4), (a + b) * 2"),
            (std::vector<std::string>{"ceildiv(n, 4)", "(a + b) * 2"}));
}

TEST(ClawComments, AnUnknownWordIsNamedWithItsLine) {
  auto comments = findClawComments("// claw: gird=1, block=2\n", "k.cu");
  ASSERT_FALSE(comments);
  EXPECT_TRUE(comments.error().message.starts_with(
      "k.cu:1: unknown word 'gird'; known: kernel, grid"))
      << comments.error().message;
}

TEST(SourcePlan, ArgumentsFollowTheParameters) {
  Plan plan = read("// claw: grid=rows, block=128, shared=cols * 4\n"
                   "extern \"C\" __global__ void k(float *y, const float *x, "
                   "int rows, long long cols) {}\n");
  ASSERT_EQ(plan.steps.size(), 1u);
  const auto &step = std::get<KernelStep>(plan.steps[0]);
  EXPECT_EQ(step.entry, "k");
  EXPECT_EQ(step.grid[0].str(), "rows");
  EXPECT_EQ(step.sharedBytes.str(), "cols * 4");
  ASSERT_EQ(step.args.size(), 4u);
  EXPECT_EQ(step.args[0].buffer, "res0");
  EXPECT_EQ(step.args[1].buffer, "arg0");
  EXPECT_EQ(step.args[2].kind, PlanArg::Kind::I32);
  EXPECT_EQ(step.args[3].kind, PlanArg::Kind::I64);
  EXPECT_EQ(step.args[3].value.str(), "cols");
  EXPECT_TRUE(checkPlan(plan, rowsAndColumns(), false));
}

TEST(SourcePlan, UnnamedPointersAreTakenInOrder) {
  Plan plan =
      read("// claw: workspace=parts bytes=rows*8\n"
           "// claw: grid=1, block=32\n"
           "extern \"C\" __global__ void k(const float *in, float *out, "
           "double *scratch) {}\n");
  const auto &step = std::get<KernelStep>(plan.steps.at(0));
  EXPECT_EQ(step.args[0].buffer, "arg0");
  EXPECT_EQ(step.args[1].buffer, "res0");
  EXPECT_EQ(step.args[2].buffer, "parts");
}

TEST(SourcePlan, ListedArgumentsTunablesAndSeveralKernels) {
  Plan plan = read(R"(
// claw: tunable=TILE values=32,64
// claw: workspace=w bytes=TILE*4
// claw: memset=w bytes=TILE*4
// claw: kernel=first grid=rows block=TILE args=x, w+64, i32(rows*cols), f32(0.5)
// claw: kernel=second grid=(rows, 2) block=32 args=w, y, 3
// claw: resizable requires=cols <= 1024
extern "C" __global__ void second(float *w, float *y, int n) {}
extern "C" __global__ void first(float *x, float *w, int n, float s) {}
)");
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(std::get<MemsetStep>(plan.steps[0]).buffer, "w");
  const auto &first = std::get<KernelStep>(plan.steps[1]);
  EXPECT_EQ(first.entry, "first");
  EXPECT_EQ(first.args[1].value.str(), "64");
  EXPECT_EQ(first.args[2].value.str(), "rows*cols");
  EXPECT_EQ(first.args[3].number, 0.5);
  const auto &second = std::get<KernelStep>(plan.steps[2]);
  EXPECT_EQ(second.grid[1].str(), "2");
  EXPECT_EQ(plan.tunables.at(0).values, (std::vector<int64_t>{32, 64}));
  EXPECT_TRUE(plan.resizable);
  EXPECT_EQ(plan.requirements.at(0), "cols <= 1024");
}

TEST(SourcePlan, MistakesAreNamedWithFileAndLine) {
  const std::string kernel =
      "extern \"C\" __global__ void k(float *x, int what) {}\n";
  EXPECT_EQ(errorOf("int x;\n"), "k.cu: no __global__ function was found");
  EXPECT_EQ(errorOf(kernel), "k.cu:1: no line '// claw: grid=..., block=...' "
                             "says how kernel 'k' is launched");
  EXPECT_EQ(errorOf("// claw: grid=1\n" + kernel),
            "k.cu:1: block=... is missing for kernel 'k'");
  EXPECT_EQ(errorOf("// claw: grid=1, block=1\n" + kernel),
            "k.cu:1: nothing is called like parameter 'int what' of 'k'; say "
            "args=... (a dimension's name as parameter name is taken by "
            "itself)");
  EXPECT_EQ(errorOf("// claw: grid=1, block=1, args=x\n" + kernel),
            "k.cu:1: args has 1 values, 'k' takes 2");
  EXPECT_EQ(errorOf("// claw: grid=1, block=1, kernel=q\n" + kernel),
            "k.cu:1: no kernel 'q'; found: k");
}

TEST(SourceTemplate, IsReadBack) {
  std::string source = sourceTemplate(rowsAndColumns());
  Plan plan = read(source);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(std::get<KernelStep>(plan.steps[0]).args.size(), 2u);
}

TEST(DeviceAnnotation, FunctionsAndTablesThatHaveNone) {
  EXPECT_EQ(annotateForDevice(R"(#include <a>
using T = float;
struct alignas(16) P { T v[4]; P() {} static T zero() { return 0; } };
template <class A> A add(A a, A b) { auto f = [](int i) { return i; }; return a; }
constexpr int table[] = {1, 2};
constexpr int size = 3;
namespace n { inline int half(int x) { return x / 2; } }
__device__ int own(int x);
extern "C" int other(int x) { return x; }
extern "C" __global__ void k(float *x) {}
)"),
            R"(#include <a>
using T = float;
struct alignas(16) P { T v[4]; __device__ P() {} __device__ static T zero() { return 0; } };
template <class A> __device__ A add(A a, A b) { auto f = [](int i) { return i; }; return a; }
__device__ constexpr int table[] = {1, 2};
constexpr int size = 3;
namespace n { __device__ inline int half(int x) { return x / 2; } }
__device__ int own(int x);
extern "C" __device__ int other(int x) { return x; }
extern "C" __global__ void k(float *x) {}
)");
}
