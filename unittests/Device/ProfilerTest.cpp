// Profiles: one table of counters, and what is left when a source is missing.
#include "Profiler.h"
#include "kernelclaw/Support/Counters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

using namespace kclaw;

namespace {

/// Kernels `names` and the flush kernel before them, activityRuns times, each
/// 10 us longer than the one before it, with gaps of 1 us.
std::vector<KernelRecord> records(const std::vector<std::string> &names) {
  std::vector<KernelRecord> all;
  uint64_t now = 1000;
  for (size_t run = 0; run < activityRuns; ++run) {
    uint64_t length = 0;
    std::vector<std::string> each = {"kcl_touch"};
    each.insert(each.end(), names.begin(), names.end());
    for (const std::string &name : each) {
      KernelRecord record;
      record.name = name;
      record.registers = 24;
      length += 10000;
      record.startNanoseconds = now;
      record.endNanoseconds = now + length;
      now += length + 1000;
      all.push_back(record);
    }
  }
  return all;
}

RangeCounts counts(size_t kernels) {
  RangeCounts found;
  found.chip = "GH100";
  found.passes = 12;
  found.missing = {countedMetrics()[1]};
  std::vector<double> values(countedMetrics().size(), 50);
  values[1] = NAN;
  found.values.assign(kernels, values);
  return found;
}

Profile staticOnly(const std::vector<std::string> &names) {
  Profile profile;
  profile.source = "CUPTI 13.0";
  for (const std::string &name : names) {
    profile.kernels.emplace_back().kernel = name;
    profile.kernels.back().registers = 32;
  }
  return profile;
}

std::unexpected<Error> failing(const std::string &why) {
  return makeError(Error::Code::Unavailable, why);
}

TEST(CounterTable, IsSmallUniqueAndComplete) {
  EXPECT_LE(std::size(counterTable), 25u);
  std::set<std::string_view> names, metrics;
  for (const CounterRow &row : counterTable) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.unit.empty()) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    if (!row.metric.empty())
      EXPECT_TRUE(metrics.insert(row.metric).second) << row.metric;
  }
  EXPECT_EQ(countedMetrics().size(), metrics.size());
}

// CUPTI knows its metrics without a device.
TEST(CounterTable, EveryMetricExistsOnEveryChip) {
  for (const char *chip : {"GA100", "GH100"}) {
    auto cost = costOfMetrics(countedMetrics(), chip);
    ASSERT_TRUE(cost) << cost.error().message;
    EXPECT_TRUE(cost->missing.empty()) << chip << ": " << cost->missing[0];
    EXPECT_LE(cost->passes, 16) << chip;
  }
}

TEST(CounterTable, AnUnknownMetricIsMissingNotFatal) {
  auto cost = costOfMetrics({"no__such.sum", "dram__bytes_read.sum"}, "GH100");
  ASSERT_TRUE(cost) << cost.error().message;
  EXPECT_EQ(cost->missing, std::vector<std::string>{"no__such.sum"});
  EXPECT_EQ(cost->passes, 1);
  EXPECT_FALSE(costOfMetrics({"no__such.sum"}, "GH100"));
  EXPECT_FALSE(costOfMetrics({"dram__bytes_read.sum"}, "XX100"));
}

TEST(Profiler, EverythingWorks) {
  Profile profile = staticOnly({"a", "b"});
  size_t asked = 0;
  observe(profile, {[] { return records({"a", "b"}); },
                    [&](size_t kernels) {
                      asked = kernels;
                      return counts(kernels);
                    }});
  EXPECT_EQ(profile.level, ProfileLevel::Counters);
  EXPECT_EQ(profile.reason, "");
  EXPECT_EQ(profile.source, "CUPTI 13.0, GH100");
  EXPECT_EQ(asked, 2u);
  EXPECT_EQ(profile.passes, 12);
  ASSERT_EQ(profile.kernels.size(), 2u);
  EXPECT_EQ(profile.kernels[0].registers, 32) << "the driver's answer stays";
  EXPECT_EQ(profile.kernels[0].samplesMicroseconds.size(), activityRuns);
  EXPECT_EQ(profile.kernels[0].medianMicroseconds, 20);
  EXPECT_EQ(profile.kernels[1].medianMicroseconds, 30);
  EXPECT_EQ(profile.kernelSpanMicroseconds, 51);
  EXPECT_EQ(profile.kernels[1].counters.at("dramThroughput"), 50);
  EXPECT_EQ(profile.missingCounters, std::vector<std::string>{"l2Throughput"});
  EXPECT_FALSE(profile.kernels[0].counters.contains("l2Throughput"))
      << "what is not a number is left out";
}

TEST(Profiler, KernelsOfLibrariesAreKnownByTheirRecords) {
  Profile profile = staticOnly({"a"});
  observe(profile, {[] { return records({"split", "reduce"}); },
                    [](size_t kernels) { return counts(kernels); }});
  ASSERT_EQ(profile.kernels.size(), 2u);
  EXPECT_EQ(profile.kernels[1].kernel, "reduce");
  EXPECT_EQ(profile.kernels[1].registers, 24);
  EXPECT_EQ(profile.level, ProfileLevel::Counters);
}

TEST(Profiler, WithoutPermissionTimesAreLeft) {
  Profile profile = staticOnly({"a"});
  observe(profile, {[] { return records({"a"}); },
                    [](size_t) -> Expected<RangeCounts> {
                      return failing("no permission: cuptiRangeProfilerEnable");
                    }});
  EXPECT_EQ(profile.level, ProfileLevel::Activity);
  EXPECT_EQ(profile.reason,
            "counters: no permission: cuptiRangeProfilerEnable");
  EXPECT_EQ(profile.kernels[0].medianMicroseconds, 20);
}

TEST(Profiler, WithoutCuptiTheStaticPartIsLeftAndTheReasonToldOnce) {
  Profile profile = staticOnly({"a"});
  observe(profile, {[]() -> Expected<std::vector<KernelRecord>> {
                      return failing("absent: cannot open CUPTI");
                    },
                    [](size_t) -> Expected<RangeCounts> {
                      return failing("absent: cannot open CUPTI");
                    }});
  EXPECT_EQ(profile.level, ProfileLevel::Static);
  EXPECT_EQ(profile.reason, "kernel times: absent: cannot open CUPTI");
  ASSERT_EQ(profile.kernels.size(), 1u);
  EXPECT_EQ(profile.kernels[0].registers, 32);
}

TEST(Profiler, CountersDoNotNeedTimes) {
  Profile profile = staticOnly({"a"});
  observe(profile, {[]() -> Expected<std::vector<KernelRecord>> {
                      return failing("busy: cuptiActivityEnable");
                    },
                    [](size_t kernels) { return counts(kernels); }});
  EXPECT_EQ(profile.level, ProfileLevel::Counters);
  EXPECT_EQ(profile.reason, "kernel times: busy: cuptiActivityEnable");
}

TEST(Profiler, LostRecordsAndCountsAreNoticed) {
  Profile profile = staticOnly({"a"});
  observe(profile, {[] {
                      auto all = records({"a"});
                      all.pop_back();
                      return all;
                    },
                    [](size_t kernels) { return counts(kernels + 1); }});
  EXPECT_EQ(profile.level, ProfileLevel::Static);
  EXPECT_NE(profile.reason.find("23 kernel records of 12 runs"),
            std::string::npos)
      << profile.reason;
  EXPECT_NE(profile.reason.find("counters of 2 kernels, the plan has 1"),
            std::string::npos)
      << profile.reason;
}

TEST(Profiler, RunsThatDifferAreNoticed) {
  Profile profile = staticOnly({"a"});
  auto all = records({"a"});
  all[3].name = "other";
  observe(profile, {[&] { return all; },
                    [](size_t kernels) { return counts(kernels); }});
  EXPECT_NE(profile.reason.find("different kernels"), std::string::npos);
}

// The library is opened once a process, so each case has its own.
TEST(CuptiDeathTest, AMissingLibraryIsTheReason) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto attempt = [] {
    setenv("KERNELCLAW_CUPTI", "/nonexistent/libcupti.so", 1);
    auto traced = traceKernels([] { return Expected<void>(); });
    auto counted = countKernels(
        countedMetrics(), 1, [] { return Expected<void>(); },
        [] { return Expected<void>(); });
    bool told = !traced && traced.error().message.starts_with("absent: ") &&
                !counted && counted.error().message == traced.error().message;
    std::exit(told ? 0 : 1);
  };
  EXPECT_EXIT(attempt(), testing::ExitedWithCode(0), "");
}

} // namespace
