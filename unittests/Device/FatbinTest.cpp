//===- FatbinTest.cpp - Cubin and PTX in one object, with real nvFatbin ---===//
//
// Needs NVRTC and no GPU; skipped without nvFatbin (NVIDIA's nvidia-nvfatbin
// wheel), which is optional.
//
//===----------------------------------------------------------------------===//
#include "Fatbin.h"
#include "kernelclaw/Cuda/NvFatbinApi.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Device/Compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace kclaw;

namespace {

class Fatbin : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(NvrtcApi::get()) << NvrtcApi::get().error().message;
    if (!NvFatbinApi::get())
      GTEST_SKIP() << NvFatbinApi::get().error().message;
  }

  static ModuleImage compile(const std::string &arch) {
    Plan plan;
    plan.producer = Producer::Model;
    plan.modules.push_back(
        {"m", PlanModule::Kind::Cuda,
         "extern \"C\" __global__ void k(float *x) { x[0] = 1; }\n"});
    CompileOptions options;
    options.arch = arch;
    options.workerPath = KCLAW_WORKER;
    Expected<CompiledPlan> compiled = compilePlan(plan, KernelSpec(), options);
    EXPECT_TRUE(compiled) << compiled.error().message;
    if (!compiled || compiled->images.size() != 1)
      return {};
    return compiled->images[0];
  }
};

/// Kinds of the entries, in order: 1 PTX, 2 ELF. A header of 16 bytes, then
/// entries: kind (u16), version (u16), header size (u32), payload size (u64).
std::vector<int> entryKinds(const std::vector<uint8_t> &fatbin) {
  std::vector<int> kinds;
  for (size_t at = 16; at + 16 <= fatbin.size();) {
    uint16_t kind = 0;
    uint32_t header = 0;
    uint64_t payload = 0;
    std::memcpy(&kind, &fatbin[at], 2);
    std::memcpy(&header, &fatbin[at + 4], 4);
    std::memcpy(&payload, &fatbin[at + 8], 8);
    kinds.push_back(kind);
    at += header + payload;
  }
  return kinds;
}

/// What NVIDIA's own tool lists; empty when it is not on PATH.
std::string listed(const std::vector<uint8_t> &fatbin) {
  if (std::system("cuobjdump --version > /dev/null 2>&1") != 0)
    return {};
  std::string path = testing::TempDir() + "kclaw-" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(fatbin.data()), fatbin.size());
  FILE *pipe =
      popen(("cuobjdump --list-elf --list-ptx " + path + " 2>&1").c_str(), "r");
  std::string text;
  char block[256];
  while (pipe && std::fgets(block, sizeof block, pipe))
    text += block;
  if (pipe)
    pclose(pipe);
  std::remove(path.c_str());
  return text;
}

} // namespace

TEST_F(Fatbin, HoldsCubinAndPtx) {
  ModuleImage image = compile("sm_90");
  EXPECT_EQ(entryKinds(image.fatbin), (std::vector<int>{2, 1}));
  if (std::string list = listed(image.fatbin); !list.empty()) {
    EXPECT_NE(list.find("m.sm_90.cubin"), std::string::npos) << list;
    EXPECT_NE(list.find("m.sm_90.ptx"), std::string::npos) << list;
  }
}

TEST_F(Fatbin, HoldsTheCubinOnlyWhenTheArchitectureIsSpecific) {
  ModuleImage image = compile("sm_90a");
  EXPECT_EQ(entryKinds(image.fatbin), std::vector<int>{2});
  ASSERT_FALSE(image.cubin.empty());
  // Small images are stored as they are.
  EXPECT_NE(std::search(image.fatbin.begin(), image.fatbin.end(),
                        image.cubin.begin(), image.cubin.end()),
            image.fatbin.end());
}

TEST_F(Fatbin, ThePtxOwnTargetDecides) {
  ModuleImage stock = compile("sm_90");
  stock.arch = "sm_90a"; // stock: PTX of the base architecture, built for 90a
  auto fatbin = makeFatbin(stock);
  ASSERT_TRUE(fatbin) << fatbin.error().message;
  EXPECT_EQ(entryKinds(*fatbin), (std::vector<int>{2, 1}));
}

TEST_F(Fatbin, AnArchitectureThatNobodyKnowsIsAnErrorWithTheReason) {
  ModuleImage image = compile("sm_90a");
  image.arch = "sm_nine";
  auto fatbin = makeFatbin(image);
  ASSERT_FALSE(fatbin);
  EXPECT_NE(fatbin.error().message.find("module 'm' for sm_nine"),
            std::string::npos)
      << fatbin.error().message;
  std::vector<ModuleImage> images{image};
  images[0].fatbin.clear();
  addFatbins(images);
  EXPECT_TRUE(images[0].fatbin.empty());
}

/// In a process of its own: the table is filled once. Exit code 0 when an
/// image without a fatbin is what comes out.
[[noreturn]] static void addWithoutLibrary() {
  setenv("KERNELCLAW_NVFATBIN", "/nonexistent/libnvfatbin.so", 1);
  std::vector<ModuleImage> images{{"m", "sm_90a", "", {1, 2}, {}}};
  addFatbins(images);
  std::fputs(NvFatbinApi::get().error().message.c_str(), stderr);
  std::exit(images[0].fatbin.empty() && images[0].cubin.size() == 2 ? 0 : 1);
}

TEST(FatbinAbsent, LeavesTheCubin) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(addWithoutLibrary(), testing::ExitedWithCode(0),
              "cannot open nvFatbin; install");
}
