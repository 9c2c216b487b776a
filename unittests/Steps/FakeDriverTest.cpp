//===- FakeDriverTest.cpp - What loading asks of the driver ---------------===//
#include "kernelclaw/Runtime/kcl_entry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace {

/// Before the first use of the driver in this process.
const int chosen = setenv("KERNELCLAW_CUDA_DRIVER", KCLAW_FAKE_DRIVER, 1);

std::string driverCalls() {
  static auto *log = reinterpret_cast<const char *(*)()>(
      dlsym(dlopen(KCLAW_FAKE_DRIVER, RTLD_NOW), "fakeDriverLog"));
  return log ? log() : "no fake driver";
}

struct Load : testing::Test {
  void SetUp() override { (void)driverCalls(); }

  const uint8_t bytes[4] = {1, 2, 3, 4};
  void *slots[2] = {};
  uint32_t loads = 0;
  kcl_constant_row rows[2] = {{bytes, 4, &slots[0]}, {bytes, 2, &slots[1]}};
  kcl_load_table table = {&loads, 0, 0, 2, 0, nullptr, nullptr, rows, nullptr};
  kcl_call call = {};
};

} // namespace

TEST_F(Load, WaitsOnceAfterTheLastConstant) {
  ASSERT_EQ(kclLoad(&table, &call), KCL_OK) << call.error;
  EXPECT_EQ(driverCalls(), "alloc upload alloc upload wait");
  EXPECT_EQ(static_cast<uint8_t *>(slots[0])[3], 4);
  ASSERT_EQ(kclLoad(&table, &call), KCL_OK);
  EXPECT_EQ(driverCalls(), "");
  ASSERT_EQ(kclUnload(&table, &call), KCL_OK);
  ASSERT_EQ(kclUnload(&table, &call), KCL_OK);
  EXPECT_EQ(driverCalls(), "free free");
}

TEST_F(Load, WithoutConstantsNothingIsWaitedFor) {
  table.num_constants = 0;
  ASSERT_EQ(kclLoad(&table, &call), KCL_OK) << call.error;
  EXPECT_EQ(driverCalls(), "");
  ASSERT_EQ(kclUnload(&table, &call), KCL_OK);
}

TEST_F(Load, ACallNeverWaits) {
  kcl_memset_step step = {};
  step.target = slots;
  step.bytes = 4;
  ASSERT_EQ(kclStepMemset(&step, &call), KCL_OK);
  EXPECT_EQ(driverCalls(), "memset");
}
