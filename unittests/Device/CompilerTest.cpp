//===- CompilerTest.cpp - The sandboxed compiler, with real NVRTC ---------===//
//
// Needs NVRTC and no GPU. NV-02: headers under NVRTC, and what must not leak.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Device/Compiler.h"
#include "IncludeScan.h"
#include "ResourceParse.h"
#include "kernelclaw/Cuda/NvrtcApi.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace kclaw;

TEST(IncludeScan, RefusesPathsThatLeaveTheRoots) {
  for (const char *source :
       {"#include \"/etc/passwd\"", "  # include <../x.h>",
        "%:include \"/etc/passwd\"", "#inc\\\nlude \"/etc/passwd\"",
        "/* a */ # /* b */ include \"/etc/passwd\"",
        "int x;\r\n#include \"../../proc/self/environ\"\r\n",
        "#include_next </etc/passwd>"})
    EXPECT_NE(scanIncludes(source, false), "") << source;
  EXPECT_EQ(scanIncludes("#include <cuda_fp16.h>\n#include \"a/b.h\"", true),
            "");
}

TEST(IncludeScan, StrictRefusesWhatItCannotFollow) {
  const char *computed = "#define F \"/etc/passwd\"\n#include F\n";
  EXPECT_EQ(scanIncludes(computed, false), "");
  EXPECT_NE(scanIncludes(computed, true), "");
  EXPECT_NE(scanIncludes("# /* open\n */ include \"x\"", true), "");
}

static const char ptxasLog[] =
    "ptxas info    : 24 bytes gmem\n"
    "ptxas info    : Compiling entry function 'k2' for 'sm_90a'\n"
    "ptxas info    : Function properties for k2\n"
    "ptxas         .     400 bytes stack frame, 12 bytes spill stores, 8 bytes "
    "spill loads\n"
    "ptxas info    : Used 34 registers, used 0 barriers, 80 bytes smem\n"
    "k.cu(3): warning: something\n";

TEST(ResourceParse, ReadsRegistersSpillsStackAndShared) {
  auto rows = parseResources(ptxasLog);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].kernel, "k2");
  EXPECT_EQ(rows[0].registers, 34);
  EXPECT_EQ(rows[0].spillBytes, 20);
  EXPECT_EQ(rows[0].stackBytes, 400);
  EXPECT_EQ(rows[0].staticSharedBytes, 80);
}

TEST(ResourceParse, SpillsOfFunctionsThatWereNotInlinedCount) {
  auto rows = parseResources(
      std::string(ptxasLog) +
      "ptxas info    : Function properties for helper\n"
      "    8 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].spillBytes, 24);
  EXPECT_EQ(rows[0].stackBytes, 400);
}

TEST(ResourceParse, BoundedLogKeepsRemarksThatAreNoResources) {
  std::string remark = "ptxas info    : (C7510) Potential Performance Loss: "
                       "wgmma.mma_async instructions are serialized\n";
  EXPECT_EQ(boundLog(ptxasLog + remark),
            "k.cu(3): warning: something\n" + remark);
}

TEST(ResourceParse, BoundedLogHasNoNul) {
  using namespace std::string_literals;
  EXPECT_EQ(boundLog("\0\nk.cu(1): error: x\n\0"s), "\nk.cu(1): error: x\n\n");
  EXPECT_EQ(boundLog("\0\n\0"s), "");
}

TEST(ResourceParse, BoundedLogKeepsDiagnosticsAndBothEnds) {
  EXPECT_EQ(boundLog(ptxasLog), "k.cu(3): warning: something\n");
  std::string cut = boundLog("first" + std::string(50000, 'x') + "last", 1000);
  EXPECT_LT(cut.size(), 1200u);
  EXPECT_TRUE(cut.starts_with("first"));
  EXPECT_NE(cut.find("last"), std::string::npos);
}

namespace {

class Compiler : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(NvrtcApi::get()) << NvrtcApi::get().error().message;
  }

  CompiledPlan compile(const std::string &source,
                       Producer producer = Producer::Model) {
    Plan plan;
    plan.producer = producer;
    plan.modules.push_back({"m", PlanModule::Kind::Cuda, source});
    plan.tunables.push_back({"TILE", {32, 64}, 64});
    KernelSpec spec;
    TensorSpec x;
    x.name = "x";
    x.dims = {{"rows", 48, 0, 0, {}}};
    spec.arguments = {x};
    CompileOptions options;
    options.workerPath = KCLAW_WORKER;
    options.timeoutSeconds = 60;
    Expected<CompiledPlan> compiled = compilePlan(plan, spec, options);
    EXPECT_TRUE(compiled) << compiled.error().message;
    return compiled ? *compiled : CompiledPlan();
  }
};

const char kernel[] =
    "extern \"C\" __global__ void k(float *x) { x[0] = 1; }\n";

} // namespace

TEST_F(Compiler, GivesImagesAndResources) {
  CompiledPlan done = compile(kernel);
  ASSERT_EQ(done.outcome, Outcome::Ok) << done.message << done.log;
  ASSERT_EQ(done.images.size(), 1u);
  EXPECT_NE(done.images[0].ptx.find(".target sm_90a"), std::string::npos);
  EXPECT_EQ(std::string(done.images[0].cubin.begin(),
                        done.images[0].cubin.begin() + 4),
            "\x7f"
            "ELF");
  ASSERT_EQ(done.resources.size(), 1u);
  EXPECT_GT(done.resources[0].registers, 0);
}

TEST_F(Compiler, SpecHeaderAndTunablesReachTheSource) {
  CompiledPlan done = compile(std::string("#include \"claw_spec.h\"\n"
                                          "static_assert(claw::rows == 48);\n"
                                          "static_assert(TILE == 64);\n") +
                              kernel);
  EXPECT_EQ(done.outcome, Outcome::Ok) << done.log;
}

TEST_F(Compiler, StandardHeadersCompile) {
  ASSERT_FALSE(findIncludeRoots().empty()) << "no CUDA headers here";
  for (const char *header :
       {"cuda_fp16.h", "cuda_bf16.h", "cstdint", "math.h", "stdint.h", "cmath",
        "climits", "cfloat", "cstddef", "cuda/std/cstdint", "mma.h"}) {
    CompiledPlan done = compile("#include <cstdint>\n#include <" +
                                std::string(header) + ">\n" + kernel);
    EXPECT_EQ(done.outcome, Outcome::Ok) << header << "\n" << done.log;
  }
}

TEST_F(Compiler, ErrorsCarryTheLog) {
  CompiledPlan done = compile("extern \"C\" __global__ void k() { oops; }");
  EXPECT_EQ(done.outcome, Outcome::CompileError);
  EXPECT_NE(done.log.find("oops"), std::string::npos);
}

TEST_F(Compiler, HostLaunchesAreDiagnosedNotCrashed) {
  CompiledPlan done =
      compile(std::string(kernel) + "int main() { k<<<1, 1>>>(0); }\n");
  EXPECT_EQ(done.outcome, Outcome::CompileError);
}

TEST_F(Compiler, AMacroIncludeCannotReadTheEnvironment) {
  setenv("KCLAW_TEST_SECRET", "hunter2secret", 1);
  for (const char *file :
       {"/proc/self/environ", "/etc/passwd", "/etc/hostname"}) {
    CompiledPlan done = compile("#define F \"" + std::string(file) +
                                "\"\n#include F\n" + kernel);
    EXPECT_EQ(done.outcome, Outcome::CompileError) << file;
    EXPECT_EQ(done.log.find("hunter2secret"), std::string::npos);
    EXPECT_EQ(done.log.find("root:"), std::string::npos);
  }
  unsetenv("KCLAW_TEST_SECRET");
}

TEST_F(Compiler, WritableGlobalsAreRefusedButTablesAreNot) {
  std::string state = "__device__ int state;\nextern \"C\" __global__ void "
                      "k(int *x) { x[0] = state++; }";
  EXPECT_EQ(compile(state).rule, "device-globals");
  std::string table =
      "__constant__ int t[2] = {1, 2};\nextern \"C\" __global__ void k(int *x) "
      "{ static const int u[4] = {5, 6, 7, 8}; x[0] = t[x[1]] + u[x[2]]; }";
  EXPECT_EQ(compile(table).outcome, Outcome::Ok);
}

TEST_F(Compiler, AModelMaySubmitCudaOnly) {
  Plan plan;
  plan.modules.push_back({"m", PlanModule::Kind::Ptx, ".version 8.0"});
  CompileOptions options;
  options.workerPath = KCLAW_WORKER;
  auto done = compilePlan(plan, KernelSpec(), options);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->rule, "cuda-only");
}
