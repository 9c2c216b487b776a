//===- EstimateTest.cpp - Which resource bounds a launch, and names -------===//
#include "SimCuda/Model/Counters.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace kclaw::sim;

namespace {

const DeviceModel &h200 = *findDeviceModel("H200");

LaunchFacts facts(uint64_t blocks, uint32_t resident = 8) {
  LaunchFacts f;
  f.blocks = blocks;
  f.threads = 256;
  f.residentBlocks = resident;
  return f;
}

TEST(Estimate, AnEmptyLaunchTakesTheLaunch) {
  EXPECT_NEAR(estimate(h200, facts(1)).total, h200.launchNanoseconds, 10);
}
TEST(Estimate, BytesBoundAStream) {
  LaunchFacts f = facts(8192);
  f.counts.l2ReadSectors = 4 << 20; // 128 MiB, none in the L2
  f.counts.sampledMisses = f.counts.sampledFetched = 100;
  TimeEstimate t = estimate(h200, f);
  EXPECT_STREQ(t.bound, "memory");
  double bytes = double(4 << 20) * 32;
  EXPECT_GT(t.memory, bytes / h200.memoryBytesPerNanosecond);
  EXPECT_LT(t.memory, 1.3 * bytes / h200.memoryBytesPerNanosecond);
  // The same from the L2 is faster.
  f.counts.sampledHits = 100;
  f.counts.sampledMisses = f.counts.sampledFetched = 0;
  EXPECT_LT(estimate(h200, f).total, t.total);
}
TEST(Estimate, ALastWaveThatIsNotFullCostsAWholeOne) {
  auto issue = [](uint64_t blocks) {
    LaunchFacts f = facts(blocks, 1);
    f.counts.warpInstructions[size_t(InstClass::Float32)] = blocks * 1000000;
    return estimate(h200, f).issue;
  };
  EXPECT_DOUBLE_EQ(issue(1), issue(132));
  EXPECT_DOUBLE_EQ(issue(133), 2 * issue(132));
  EXPECT_DOUBLE_EQ(issue(264), 2 * issue(132));
}
TEST(Estimate, OccupancyHidesLatency) {
  auto latency = [](uint32_t resident) {
    LaunchFacts f = facts(132 * 8, resident);
    f.counts.pathLoads = 132 * 8 * 100;
    f.counts.l2ReadSectors = 1000;
    f.counts.sampledMisses = 1000;
    TimeEstimate t = estimate(h200, f);
    EXPECT_STREQ(t.bound, "latency");
    return t.latency;
  };
  EXPECT_DOUBLE_EQ(latency(1), 8 * latency(8));
}
TEST(Estimate, PipesHaveTheirRates) {
  LaunchFacts f = facts(132);
  f.counts.warpInstructions[size_t(InstClass::Special)] = 132 * 1000;
  double clock = h200.clockKilohertz / 1e6;
  EXPECT_NEAR(estimate(h200, f).pipe, 2000 / clock, 1); // 16 lanes a cycle
  f.counts.groupProducts[size_t(TensorKind::F16)] = 132ull * 2048 * 5000;
  EXPECT_NEAR(estimate(h200, f).tensor, 5000 / clock, 1);
  EXPECT_STREQ(estimate(h200, f).bound, "tensor");
}
TEST(Estimate, TheTotalIsAtLeastEachTerm) {
  LaunchFacts f = facts(1000);
  f.counts.sharedLoadWavefronts = 1 << 20;
  f.counts.warpInstructions.fill(1 << 16);
  f.counts.atomicSlices[3] = 500;
  TimeEstimate t = estimate(h200, f);
  for (double term : {t.dispatch, t.l1, t.issue, t.pipe, t.atomics})
    EXPECT_GE(t.total, t.launch + term);
}

TEST(Counters, NamesAreUniqueAndComplete) {
  std::set<std::string> names;
  for (const CounterRow &row : counterRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(*row.unit && *row.meaning) << row.name;
  }
}
TEST(Counters, NothingDividesByZero) {
  LaunchRecord record{&h200, facts(1), {}};
  for (const CounterRow &row : counterRows())
    EXPECT_TRUE(std::isfinite(row.value(record))) << row.name;
}

} // namespace
