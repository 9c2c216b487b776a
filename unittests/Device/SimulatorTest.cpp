//===- SimulatorTest.cpp - What the judge makes of the simulator ----------===//
#include "DeviceSession.h"
#include "Profiler.h"
#include "PtxLink.h"
#include "SimulatedCounters.h"

#include <gtest/gtest.h>

#include <algorithm>
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

static uint64_t launchCount = 0;
static bool cachesEmpty = false;

/// Two counters, one of which a real profile has, and the time.
static SimulatorApi countingSimulator() {
  SimulatorApi api;
  api.flushCaches = [] { cachesEmpty = true; };
  api.launches = [] { return launchCount; };
  api.counter = [](size_t i) -> const char * {
    constexpr const char *lines[] = {
        "dram.read.bytes\tbyte\tread\tdram__bytes_read.sum",
        "own\t1\tours alone\t", "time\tns\tall\tgpu__time_duration.sum"};
    return i < std::size(lines) ? lines[i] : nullptr;
  };
  api.counts = [](uint64_t launch, double *values, size_t) -> size_t {
    values[0] = 100.0 * double(launch);
    values[1] = 1;
    values[2] = 2000;
    return 3;
  };
  return api;
}

TEST(Simulator, CountersHaveTheNamesOfARealProfile) {
  Profile profile;
  profile.kernels.resize(2);
  launchCount = 7;
  cachesEmpty = false;
  auto done = addSimulatedCounters(countingSimulator(), profile, [] {
    EXPECT_TRUE(cachesEmpty);
    launchCount += 2;
    return std::expected<void, RunFailure>();
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(profile.level, ProfileLevel::Counters);
  EXPECT_EQ(profile.kernels[0].counters.size(), 1u);
  EXPECT_EQ(profile.kernels[0].counters.at("dramReadBytes"), 800);
  EXPECT_EQ(profile.kernels[1].counters.at("dramReadBytes"), 900);
  EXPECT_EQ(profile.kernels[1].medianMicroseconds, 2);
  EXPECT_EQ(profile.kernelSpanMicroseconds, 4);
  EXPECT_EQ(profile.missingCounters.size(), countedMetrics().size() - 1);
  EXPECT_EQ(std::ranges::count(profile.missingCounters, "dramReadBytes"), 0);
}

TEST(Simulator, AnotherNumberOfLaunchesIsTold) {
  Profile profile;
  profile.kernels.resize(2);
  auto done = addSimulatedCounters(countingSimulator(), profile, [] {
    launchCount += 3;
    return std::expected<void, RunFailure>();
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(profile.level, ProfileLevel::Static);
  EXPECT_EQ(profile.reason,
            "failed: the simulator launched 3 kernels, the plan has 2");
}
