//===- StatisticsTest.cpp - Measuring rules on invented numbers -----------===//
#include "Statistics.h"
#include "TimingRun.h"

#include <gtest/gtest.h>

#include <random>

using namespace kclaw;

TEST(Statistics, MedianAndQuantilesInterpolate) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(quantile({0, 10}, 0.9), 9);
  EXPECT_DOUBLE_EQ(median({}), 0);
}

TEST(Statistics, SpreadIsRelativeToTheMedian) {
  std::vector<double> samples;
  for (int i = 0; i <= 10; ++i)
    samples.push_back(95 + i); // p10 96, p90 104, median 100
  EXPECT_DOUBLE_EQ(spread(samples), 0.08);
}

TEST(StoppingRule, TakesAtLeastTwentyAndStopsOnceSteady) {
  StoppingRule rule;
  EXPECT_FALSE(rule.enough(std::vector<double>(19, 5.0)));
  EXPECT_TRUE(rule.enough(std::vector<double>(20, 5.0)));
}

TEST(StoppingRule, GoesOnWhileNoisyUpToTheMaximum) {
  StoppingRule rule;
  std::vector<double> noisy;
  for (int i = 0; i < 20; ++i)
    noisy.push_back(i % 2 ? 100 : 130);
  EXPECT_FALSE(rule.enough(noisy));
  while (noisy.size() < rule.maximum)
    noisy.push_back(noisy.size() % 2 ? 100 : 130);
  EXPECT_TRUE(rule.enough(noisy));
}

TEST(StoppingRule, SaysWhy) {
  StoppingRule rule;
  EXPECT_EQ(rule.reason(std::vector<double>(19, 5.0)), nullptr);
  EXPECT_STREQ(rule.reason(std::vector<double>(20, 5.0)), "precision");
  std::vector<double> noisy;
  while (noisy.size() < rule.maximum)
    noisy.push_back(noisy.size() % 2 ? 100 : 130);
  EXPECT_STREQ(rule.reason(noisy), "maximum");
}

/// Blocks of five around `middle`, each block and each sample with noise.
static std::vector<double> noisySamples(std::mt19937 &random, double middle,
                                        size_t blocks) {
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> samples;
  for (size_t i = 0; i < blocks; ++i) {
    double block = middle * (1 + noise(random));
    for (int j = 0; j < 5; ++j)
      samples.push_back(block * (1 + noise(random)));
  }
  return samples;
}

TEST(Speedup, IsTheGeometricMeanOfTheProcesses) {
  EXPECT_DOUBLE_EQ(speedupOf({{{10}, {20}, 1}}), 2);
  EXPECT_NEAR(speedupOf({{{10}, {10}, 1}, {{10}, {40}, 1}}), 2, 1e-12);
  EXPECT_EQ(speedupOf({}), 0);
  EXPECT_EQ(speedupOf({{{}, {10}, 1}}), 0);
}

TEST(Bootstrap, SteadySamplesHaveNoWidth) {
  std::vector<double> ten(20, 10.0), twelve(20, 12.0);
  SpeedupInterval interval = bootstrapSpeedup({{ten, twelve, 5}}, 1);
  EXPECT_TRUE(interval.known());
  EXPECT_DOUBLE_EQ(interval.low, 1.2);
  EXPECT_DOUBLE_EQ(interval.high, 1.2);
  EXPECT_EQ(interval.processes, 1);
}

TEST(Bootstrap, OneEstimateEachSaysNothing) {
  EXPECT_FALSE(bootstrapSpeedup({{{10}, {20}, 1}}, 1).known());
  EXPECT_FALSE(bootstrapSpeedup({}, 1).known());
}

TEST(Bootstrap, AnIntervalOfEqualContendersHasOneInside) {
  std::mt19937 random(42);
  int covered = 0;
  for (int i = 0; i < 20; ++i) {
    std::vector<double> a = noisySamples(random, 100, 8);
    std::vector<double> b = noisySamples(random, 100, 8);
    SpeedupInterval interval = bootstrapSpeedup({{a, b, 5}}, i);
    covered += interval.low <= 1 && 1 <= interval.high;
  }
  EXPECT_GE(covered, 18);
}

TEST(Bootstrap, AFasterOneIsToldFromNoise) {
  std::mt19937 random(7);
  std::vector<double> a = noisySamples(random, 100, 8);
  std::vector<double> b = noisySamples(random, 110, 8);
  SpeedupInterval interval = bootstrapSpeedup({{a, b, 5}}, 1);
  EXPECT_GT(interval.low, 1.05);
  EXPECT_LT(interval.high, 1.15);
}

// Samples of one process agree with each other more than processes do.
TEST(Bootstrap, ProcessesThatDisagreeWidenIt) {
  std::vector<ProcessSamples> processes;
  for (double ratio : {0.95, 1.0, 1.2})
    processes.push_back({std::vector<double>(20, 100.0),
                         std::vector<double>(20, 100.0 * ratio), 5});
  SpeedupInterval interval = bootstrapSpeedup(processes, 1);
  EXPECT_LT(interval.low, 1);
  EXPECT_GT(interval.high, 1.1);
  EXPECT_EQ(interval.processes, 3);
}

// A clock that drops for a while slows both blocks at that place.
TEST(Bootstrap, BlocksAreDrawnInPairs) {
  std::vector<double> a, b;
  for (int block = 0; block < 8; ++block)
    for (int i = 0; i < 5; ++i) {
      a.push_back(block % 2 ? 100 : 100.5);
      b.push_back(1.1 * a.back());
    }
  SpeedupInterval interval = bootstrapSpeedup({{a, b, 5}}, 1);
  EXPECT_NEAR(interval.low, 1.1, 1e-9);
  EXPECT_NEAR(interval.high, 1.1, 1e-9);
}

TEST(Floor, ReadsAndWritesBeyondTheL2AtThePinRate) {
  // 128 MB in and out, 50 MB of the result may stay in the L2.
  EXPECT_NEAR(floorMicroseconds(256e6, 128e6, 50e6, 4e12), 51.5, 1e-9);
  EXPECT_EQ(floorMicroseconds(1e6, 1e6, 50e6, 4e12), 0);
  EXPECT_EQ(floorMicroseconds(256e6, 128e6, 50e6, 0), 0);
}
