//===- ArchRuleTest.cpp - Which code runs on which device -----------------===//
#include "../../lib/Steps/ArchRule.h"
#include "kernelclaw/Steps/kcl_steps.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace kclaw;

TEST(ArchRule, ArchitectureSpecificCodeRunsOnThatOneOnly) {
  EXPECT_TRUE(archRuns("sm_90a", 9, 0));
  EXPECT_FALSE(archRuns("sm_90a", 10, 0));
  EXPECT_FALSE(archRuns("sm_90a", 8, 9));
}

TEST(ArchRule, CubinRunsWithinItsMajor) {
  EXPECT_TRUE(archRuns("sm_80", 8, 6));
  EXPECT_FALSE(archRuns("sm_86", 8, 0));
  EXPECT_FALSE(archRuns("sm_80", 9, 0));
}

TEST(ArchRule, PtxRunsOnNewer) {
  EXPECT_TRUE(archRuns("ptx_80", 12, 0));
  EXPECT_FALSE(archRuns("ptx_90", 8, 9));
}

TEST(ArchRule, MalformedEntriesNeverRun) {
  for (const char *text : {"", "sm_", "sm_90b", "sm_90aa", "90", "compute_90"})
    EXPECT_FALSE(archRuns(text, 9, 0)) << text;
  EXPECT_TRUE(anyArchRuns("sm_80 sm_90a", 9, 0));
}

TEST(Steps, WithoutADriverEachStepExplains) {
  // Before the first use of the driver in this process.
  setenv("KERNELCLAW_CUDA_DRIVER", "/no/libcuda.so.1", 1);
  kcl_call call = {};
  kcl_memset_step step = {};
  step.bytes = 16;
  EXPECT_EQ(kclStepMemset(&step, &call), KCL_UNAVAILABLE);
  EXPECT_NE(std::string(call.error).find("CUDA driver"), std::string::npos);
  EXPECT_EQ(kclArchListed("sm_90a"), 0);
}
