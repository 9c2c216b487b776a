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
    waited = reinterpret_cast<decltype(&kclWaitedStream)>(
        dlsym(driver, "kclWaitedStream"));
    call.abi_version = KCL_ABI_VERSION;
    EXPECT_EQ(kclModuleLoad("ptx", 4, &module, &call), KCL_OK) << call.error;
    EXPECT_EQ(kclModuleFunction(module, "kernel", 1024, &function, &call),
              KCL_OK);
    forget();
  }
  ~StepCalls() override { kclModuleUnload(module, &call); }

  decltype(&kclRecordedCalls) recorded = nullptr;
  decltype(&kclWaitedStream) waited = nullptr;
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

TEST_F(StepCalls, AnEmptyGridIsNoCall) {
  kcl_kernel_step step = {.function = function,
                          .grid = {1, 0, 1},
                          .block = {32, 1, 1},
                          .cluster = {1, 1, 1},
                          .shared_bytes = 0,
                          .cooperative = 0,
                          .arg_count = 0,
                          .args = nullptr};
  EXPECT_EQ(kclStepKernel(&step, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "");
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

namespace {
struct ConstantCalls : StepCalls {
  const uint8_t bytes[4] = {1, 2, 3, 4};
  void *slots[2] = {};
  uint32_t loads = 0;
  kcl_constant_row rows[2] = {{bytes, 4, &slots[0]}, {bytes, 2, &slots[1]}};
  kcl_load_table table = {&loads, 0, 0, 2, 0, nullptr, nullptr, rows, nullptr};
};
} // namespace

TEST_F(ConstantCalls, LoadWaitsOnceAfterTheLastOnTheNullStream) {
  call.stream = &call; // not what the copies run on
  ASSERT_EQ(kclLoad(&table, &call), KCL_OK) << call.error;
  EXPECT_STREQ(recorded(), "cuCtxGetCurrent\ncuMemAlloc\ncuMemcpyHtoD\n"
                           "cuCtxGetCurrent\ncuMemAlloc\ncuMemcpyHtoD\n"
                           "cuStreamSynchronize\n");
  EXPECT_EQ(waited(), nullptr);
  EXPECT_EQ(static_cast<uint8_t *>(slots[0])[3], 4);
  forget();
  ASSERT_EQ(kclLoad(&table, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "");
  ASSERT_EQ(kclUnload(&table, &call), KCL_OK);
  ASSERT_EQ(kclUnload(&table, &call), KCL_OK);
  EXPECT_STREQ(recorded(), "cuMemFree\ncuMemFree\n");
}

TEST_F(ConstantCalls, WithoutConstantsNothingIsWaitedFor) {
  table.num_constants = 0;
  ASSERT_EQ(kclLoad(&table, &call), KCL_OK) << call.error;
  EXPECT_STREQ(recorded(), "");
  ASSERT_EQ(kclUnload(&table, &call), KCL_OK);
}
