//===- DeviceSessionTest.cpp - What happens between timed runs ------------===//
//
// On the recording driver, which CMake names in the environment. Needs NVRTC
// for the judge's own kernels, no GPU.
//
//===----------------------------------------------------------------------===//
#include "DeviceSession.h"
#include "../RecordingDriver/RecordingDriver.h"
#include "Workload.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace kclaw;

// KB-09: lines that a kernel marks as persisting survive a flush; they are
// given back before it, so that no run is timed with a warm L2.
TEST(DeviceSession, PersistingLinesAreResetBeforeTheFlush) {
  void *driver = dlopen(std::getenv("KERNELCLAW_CUDA_DRIVER"), RTLD_NOW);
  ASSERT_TRUE(driver) << dlerror();
  auto recorded = reinterpret_cast<decltype(&kclRecordedCalls)>(
      dlsym(driver, "kclRecordedCalls"));
  auto forget = reinterpret_cast<decltype(&kclForgetCalls)>(
      dlsym(driver, "kclForgetCalls"));
  auto session = DeviceSession::open(KCLAW_WORKER);
  ASSERT_TRUE(session) << session.error().message;
  forget();
  ASSERT_TRUE((*session)->flushL2());
  EXPECT_STREQ(recorded(), "cuCtxResetPersistingL2Cache\ncuLaunchKernelEx\n");
}

// KB-12: what does not fit on the device is not judged, and says what it needs;
// it is no failure of the candidate. The recording driver's device has no free
// memory.
TEST(DeviceSession, WhatDoesNotFitIsNotJudged) {
  auto session = DeviceSession::open(KCLAW_WORKER);
  ASSERT_TRUE(session) << session.error().message;
  KernelSpec spec;
  TensorSpec tensor;
  tensor.name = "x";
  tensor.dims = {Dim{"d0", 1 << 30}};
  spec.arguments = spec.results = {tensor};
  Expected<Problem> problem = instantiate(spec);
  ASSERT_TRUE(problem);
  kclaw::Run<Workload> load =
      Workload::create(**session, spec, *problem, 0, [] { return 60.0; });
  ASSERT_FALSE(load);
  EXPECT_EQ(load.error().outcome, Outcome::Rejected);
  EXPECT_EQ(load.error().rule, "memory");
  EXPECT_FALSE(load.error().contextLost);
  EXPECT_EQ(load.error().message,
            "not judged: arguments and results need 8.00 GiB, the device has "
            "0.00 GiB free");
}
