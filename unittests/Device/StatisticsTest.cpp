//===- StatisticsTest.cpp - Measuring rules on invented numbers -----------===//
#include "Statistics.h"
#include "TimingRun.h"

#include <gtest/gtest.h>

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

TEST(Floor, ReadsAndWritesBeyondTheL2AtThePinRate) {
  // 128 MB in and out, 50 MB of the result may stay in the L2.
  EXPECT_NEAR(floorMicroseconds(256e6, 128e6, 50e6, 4e12), 51.5, 1e-9);
  EXPECT_EQ(floorMicroseconds(1e6, 1e6, 50e6, 4e12), 0);
  EXPECT_EQ(floorMicroseconds(256e6, 128e6, 50e6, 0), 0);
}
