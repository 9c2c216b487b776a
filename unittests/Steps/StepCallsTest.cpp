//===- StepCallsTest.cpp - The driver calls of a step ---------------------===//
//
// Each step makes one asynchronous driver call: it allocates nothing and waits
// for nothing. On the recording driver, which CMake names in the environment.
//
//===----------------------------------------------------------------------===//
#include "../RecordingDriver/RecordingDriver.h"
#include "kernelclaw/Runtime/kcl_entry.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

namespace {
struct StepCalls : testing::Test {
  StepCalls() {
    void *driver = dlopen(std::getenv("KERNELCLAW_CUDA_DRIVER"), RTLD_NOW);
    recorded = reinterpret_cast<decltype(&kclRecordedCalls)>(
        dlsym(driver, "kclRecordedCalls"));
    forget = reinterpret_cast<decltype(&kclForgetCalls)>(
        dlsym(driver, "kclForgetCalls"));
    call.abi_version = KCL_ABI_VERSION;
    EXPECT_EQ(kclModuleLoad("ptx", 4, &module, &call), KCL_OK) << call.error;
    EXPECT_EQ(kclModuleFunction(module, "kernel", 1024, &function, &call),
              KCL_OK);
    forget();
  }
  ~StepCalls() override { kclModuleUnload(module, &call); }

  decltype(&kclRecordedCalls) recorded = nullptr;
  decltype(&kclForgetCalls) forget = nullptr;
  kcl_call call = {};
  kcl_module *module = nullptr;
  void *function = nullptr;
};
} // namespace

TEST_F(StepCalls, KernelIsOneLaunch) {
  kcl_kernel_step step = {.function = function,
                          .grid = {1, 1, 1},
                          .block = {32, 1, 1},
                          .cluster = {2, 1, 1},
                          .shared_bytes = 1024,
                          .cooperative = 1,
                          .arg_count = 0,
                          .args = nullptr};
  EXPECT_EQ(kclStepKernel(&step, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "cuLaunchKernelEx\n");
}

TEST_F(StepCalls, MemsetIsOneFill) {
  char memory[16] = {};
  kcl_memset_step step = {
      .target = memory, .bytes = 16, .value = 7, .reserved = 0};
  EXPECT_EQ(kclStepMemset(&step, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "cuMemsetD8Async\n");
  EXPECT_EQ(memory[15], 7);
}

TEST_F(StepCalls, CopyIsOneCopy) {
  char from[16] = "abc", to[16] = {};
  kcl_copy_step step = {.source = from,
                        .target = to,
                        .source_pitch = 8,
                        .target_pitch = 8,
                        .row_bytes = 8,
                        .rows = 2};
  EXPECT_EQ(kclStepCopy(&step, &call), KCL_OK);
  step.target_pitch = 4;
  step.row_bytes = 4;
  step.rows = 1;
  EXPECT_EQ(kclStepCopy(&step, &call), KCL_OK);
  step.rows = 2;
  EXPECT_EQ(kclStepCopy(&step, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "cuMemcpyDtoDAsync\ncuMemcpyDtoDAsync\n"
                           "cuMemcpy2DAsync\n");
}

TEST_F(StepCalls, LoadedTwiceIsLoadedOnce) {
  kcl_module *slot = nullptr;
  uint32_t loads = 0;
  kcl_module_row modules[] = {{"ptx", 4, &slot}};
  kcl_load_table table = {&loads,  1,       0,       0,      0,
                          modules, nullptr, nullptr, nullptr};
  EXPECT_EQ(kclLoad(&table, &call), KCL_OK);
  forget();
  EXPECT_EQ(kclLoad(&table, &call), KCL_OK);
  EXPECT_EQ(kclCheckLoaded(&table, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "");
  EXPECT_EQ(kclUnload(&table, &call), KCL_OK);
  EXPECT_EQ(kclUnload(&table, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "cuLibraryUnload\n");
}
