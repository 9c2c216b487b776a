// What the resource report rules out, on the limits of an H200.
#include "SweepResources.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

MultiprocessorLimits h200() {
  MultiprocessorLimits limits;
  limits.computeMajor = 9;
  limits.multiprocessors = 132;
  limits.threadsPerBlock = 1024;
  limits.threadsPerMultiprocessor = 2048;
  limits.registersPerBlock = limits.registersPerMultiprocessor = 65536;
  limits.sharedBytesPerBlock = 49152;
  limits.sharedBytesPerBlockOptin = 232448;
  limits.sharedBytesPerMultiprocessor = 233472;
  limits.reservedSharedBytesPerBlock = 1024;
  return limits;
}

/// One kernel of `THREADS` threads in a repeat over `t`.
Plan planOf(const char *sharedBytes) {
  KernelStep kernel;
  kernel.entry = "k";
  kernel.block[0] = Expr("THREADS");
  kernel.sharedBytes = Expr(sharedBytes);
  Plan plan;
  plan.steps = {RepeatStep{"t", Expr(4), {kernel}}};
  return plan;
}

std::string whyNot(int registers, int staticShared, int64_t threads,
                   const char *sharedBytes = "0") {
  return whyNotResident(planOf(sharedBytes), {{"THREADS", threads}},
                        {{"k", registers, 0, staticShared, 0}}, h200());
}

TEST(SweepResources, WhatFits) {
  EXPECT_EQ(whyNot(64, 1024, 1024), "");
  EXPECT_EQ(whyNot(255, 0, 256, "232448 + t"), "");
}

TEST(SweepResources, TooManyRegisters) {
  EXPECT_EQ(whyNot(128, 0, 1024),
            "kernel 'k': 128 registers x 1024 threads, a block may have 65536 "
            "registers");
}

TEST(SweepResources, TooMuchSharedMemory) {
  EXPECT_EQ(whyNot(32, 1, 128, "232448"),
            "kernel 'k': 232449 bytes of shared memory, a block may have "
            "232448");
}

TEST(SweepResources, NoBlockFits) {
  EXPECT_EQ(whyNot(32, 0, 2048),
            "kernel 'k': no block of 2048 threads fits on a multiprocessor");
}

TEST(SweepResources, AKernelWithoutReportIsNotJudged) {
  EXPECT_EQ(whyNotResident(planOf("0"), {{"THREADS", 4096}},
                           {{"other", 255, 0, 0, 0}}, h200()),
            "");
}

TEST(SweepResources, Spills) {
  EXPECT_EQ(spilledBytes({{"a", 0, 8, 0, 0}, {"b", 0, 4, 0, 0}}), 12);
}

} // namespace
