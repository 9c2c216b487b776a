//===- SimulatorTest.cpp - What the judge makes of the simulator ----------===//
#include "DeviceSession.h"
#include "PtxLink.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace kclaw;

static std::string lastReport;

/// A table whose driver says that it simulates.
static DriverApi simulator() {
  DriverApi api;
  api.simulator.version = [] { return 1; };
  api.simulator.lastReport = [](char *buffer, size_t bytes) {
    if (buffer && bytes)
      std::snprintf(buffer, bytes, "%s", lastReport.c_str());
    return lastReport.size();
  };
  return api;
}

TEST(Simulator, AReportIsTheFault) {
  lastReport = "data race: kernel k, k.cu:7";
  RunFailure failure = classify(simulator(), CUDA_ERROR_LAUNCH_FAILED, "mine");
  EXPECT_EQ(failure.outcome, Outcome::Fault);
  EXPECT_EQ(failure.rule, "data-race");
  EXPECT_EQ(failure.message, "mine: data race: kernel k, k.cu:7");
  EXPECT_TRUE(failure.contextLost);
}

TEST(Simulator, TheBudgetsEndIsATimeoutThatSaysWhatToDo) {
  lastReport = "endless loop: kernel k, the budget is used up";
  RunFailure failure = classify(simulator(), CUDA_ERROR_LAUNCH_TIMEOUT, "mine");
  EXPECT_EQ(failure.outcome, Outcome::Timeout);
  EXPECT_EQ(failure.rule, "instruction-budget");
  EXPECT_NE(failure.message.find("use smaller sizes"), std::string::npos);
}

TEST(Simulator, ImagesArePtxAndNothingElse) {
  std::vector<ResourceReport> unused;
  ModuleImage image{"m", "sm_90a", ".version 8.0", {1, 2}, {3}};
  ASSERT_TRUE(assemble(simulator(), image, unused));
  EXPECT_TRUE(image.cubin.empty() && image.fatbin.empty());
  ModuleImage machineCode{"m", "sm_90a", "", {1, 2}, {}};
  auto refused = assemble(simulator(), machineCode, unused);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().outcome, Outcome::Rejected);
  EXPECT_EQ(refused.error().rule, "needs-ptx");
  EXPECT_TRUE(refused.error().message.starts_with("needs PTX: module 'm'"));
}
