//===- NvrtcTest.cpp - Generated kernels compile, without spills ----------===//
//
// Compiles the best plan of each skeleton for regions of real size, as the
// worker does. Needs NVRTC, no GPU.
// KERNELCLAW_TEST_DUMP names a folder to leave sources and cubins in.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <cstdlib>
#include <fstream>

namespace kclaw::test {
namespace {

struct Compiled {
  bool ok = false;
  std::string log, cubin;
};

Compiled compile(const NvrtcApi &api, const std::string &source,
                 const std::string &header) {
  std::vector<std::string> options = {"-default-device", "-std=c++20",
                                      "--gpu-architecture=sm_90a",
                                      "--ptxas-options=-v"};
  for (const std::string &root : findIncludeRoots())
    options.push_back("-I" + root);
  std::vector<const char *> texts;
  for (const std::string &option : options)
    texts.push_back(option.c_str());
  const char *headers[] = {header.c_str()}, *names[] = {"claw_spec.h"};
  nvrtcProgram program = nullptr;
  Compiled out;
  if (api.nvrtcCreateProgram(&program, source.c_str(), "kernel.cu", 1, headers,
                             names) != NVRTC_SUCCESS)
    return out;
  out.ok = api.nvrtcCompileProgram(program, int(texts.size()), texts.data()) ==
           NVRTC_SUCCESS;
  size_t size = 0;
  api.nvrtcGetProgramLogSize(program, &size);
  out.log.resize(size);
  api.nvrtcGetProgramLog(program, out.log.data());
  if (out.ok) {
    api.nvrtcGetCUBINSize(program, &size);
    out.cubin.resize(size);
    api.nvrtcGetCUBIN(program, out.cubin.data());
  }
  api.nvrtcDestroyProgram(&program);
  return out;
}

void dump(const std::string &name, const std::string &source,
          const Compiled &compiled) {
  const char *folder = std::getenv("KERNELCLAW_TEST_DUMP");
  if (!folder)
    return;
  std::string base = std::string(folder) + "/" + name;
  std::ofstream(base + ".cu") << source;
  std::ofstream(base + ".cubin") << compiled.cubin;
  std::ofstream(base + ".log") << compiled.log;
}

void expectCompiles(const std::string &name, const KernelSpec &spec) {
  const Expected<NvrtcApi> &api = NvrtcApi::get();
  ASSERT_TRUE(api) << api.error().message;
  for (const Plan &plan : plansOf(spec)) {
    Expected<Plan> again = parsePlan(toJson(plan));
    ASSERT_TRUE(again) << again.error().message;
    Expected<void> fits = checkPlan(*again, spec, /*fromModel=*/true);
    ASSERT_TRUE(fits) << plan.title << ": " << fits.error().message;
    for (const PlanModule &module : again->modules) {
      Compiled compiled = compile(*api, module.source, renderSpecHeader(spec));
      dump(name + "_" + module.name, module.source, compiled);
      ASSERT_TRUE(compiled.ok) << compiled.log << module.source;
      EXPECT_THAT(compiled.log, testing::ContainsRegex(" 0 bytes spill stores"))
          << plan.title;
    }
  }
}

TEST(Nvrtc, Softmax) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {4096, 8192});
  s.result(s.op("aten.softmax.int", {x, -1, none}, DType::f32, {4096, 8192}));
  expectCompiles("softmax", s.spec);
}

TEST(Nvrtc, LayerNormOfHalves) {
  SpecBuilder s;
  auto x = s.arg(DType::bf16, {8192, 4096});
  auto w = s.arg(DType::bf16, {4096}), b = s.arg(DType::bf16, {4096});
  s.result(s.op("aten.layer_norm", {x, IntList{4096}, w, b, 1e-5, false},
                DType::bf16, {8192, 4096}));
  expectCompiles("layer_norm", s.spec);
}

TEST(Nvrtc, GeluChain) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {4096, 4099}), b = s.arg(DType::f32, {4099});
  auto h = s.op("aten.add.Tensor", {x, b, 1}, DType::f32, {4096, 4099});
  s.result(s.op("aten.gelu", {h, "tanh"}, DType::f32, {4096, 4099}));
  expectCompiles("gelu_odd", s.spec);
  SpecBuilder t;
  auto y = t.arg(DType::f16, {16384, 4096});
  auto g = t.op("aten.gelu", {y, "none"}, DType::f16, {16384, 4096});
  t.result(t.op("aten.mul.Scalar", {g, 0.5}, DType::f16, {16384, 4096}));
  expectCompiles("gelu", t.spec);
}

TEST(Nvrtc, ArgmaxOfRows) {
  SpecBuilder s;
  auto x = s.arg(DType::f16, {32768, 1000});
  s.result(s.op("aten.argmax", {x, 1, false}, DType::i64, {32768}));
  expectCompiles("argmax", s.spec);
}

TEST(Nvrtc, SumOfEverything) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {8192, 8192});
  s.result(s.op("aten.sum", {x, none}, DType::f32, {}));
  expectCompiles("sum", s.spec);
}

TEST(Nvrtc, SoftmaxOfVeryLongRows) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {4096, 131072});
  s.result(s.op("aten.softmax.int", {x, -1, none}, DType::f32, {4096, 131072}));
  std::vector<Plan> plans = plansOf(s.spec);
  ASSERT_FALSE(plans.empty());
  const KernelStep &step = std::get<KernelStep>(plans[0].steps[0]);
  EXPECT_EQ(step.cluster[0].str(), "8");
  EXPECT_EQ(step.grid[0].str(), "n4096 * 8");
  expectCompiles("softmax_cluster", s.spec);
}

TEST(Nvrtc, SoftmaxOverTheMiddle) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {64, 128, 4096});
  s.result(s.op("aten.softmax.int", {x, 1, none}, DType::f32, {64, 128, 4096}));
  expectCompiles("softmax_middle", s.spec);
}

TEST(Nvrtc, MeanOverLeadingDimension) {
  SpecBuilder s;
  auto x = s.arg(DType::bf16, {1 << 20, 64});
  s.result(
      s.op("aten.mean.dim", {x, IntList{0}, false, none}, DType::bf16, {64}));
  expectCompiles("mean_leading", s.spec);
}

TEST(Nvrtc, LayerNormOfFewLongRows) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {16, 64, 256, 256});
  auto w = s.arg(DType::f32, {64, 256, 256}),
       b = s.arg(DType::f32, {64, 256, 256});
  s.result(s.op("aten.layer_norm",
                {x, IntList{64, 256, 256}, w, b, 1e-5, false}, DType::f32,
                {16, 64, 256, 256}));
  expectCompiles("layer_norm_long", s.spec);
}

TEST(Nvrtc, Contractions) {
  for (DType type : {DType::f32, DType::f16})
    for (int64_t depth : {1024, 1023}) {
      SpecBuilder s;
      auto x = s.arg(type, {4096, depth}), w = s.arg(type, {2048, depth}),
           b = s.arg(type, {2048});
      auto y = s.op("aten.linear", {x, w, b}, type, {4096, 2048});
      s.result(s.op("aten.gelu", {y, "none"}, type, {4096, 2048}));
      expectCompiles("linear_" + std::string(info(type).name), s.spec);
    }
  SpecBuilder s;
  auto x = s.arg(DType::bf16, {64, 512, 1024}),
       w = s.arg(DType::bf16, {64, 1024, 256});
  s.result(s.op("aten.bmm", {x, w}, DType::bf16, {64, 512, 256}));
  expectCompiles("bmm", s.spec);
  SpecBuilder t;
  auto a = t.arg(DType::f32, {128, 8192}), c = t.arg(DType::f32, {8192, 128});
  t.result(t.op("aten.mm", {a, c}, DType::f32, {128, 128}));
  t.spec.policy = Policy::Tf32;
  expectCompiles("mm_tf32", t.spec);
}

// PT-09: more than 2^31 elements take 64-bit indices.
TEST(Nvrtc, WideIndices) {
  SpecBuilder s;
  auto x = s.arg(DType::bf16, {65537, 32768});
  s.result(s.op("aten.neg", {x}, DType::bf16, {65537, 32768}));
  std::vector<Plan> plans = plansOf(s.spec);
  ASSERT_FALSE(plans.empty());
  EXPECT_THAT(plans[0].modules[0].source,
              testing::HasSubstr("using idx_t = long long"));
  expectCompiles("neg_wide", s.spec);
}

} // namespace
} // namespace kclaw::test
