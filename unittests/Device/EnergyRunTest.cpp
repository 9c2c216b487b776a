//===- EnergyRunTest.cpp - Power from invented readings -------------------===//
#include "EnergyRun.h"

#include <gtest/gtest.h>

using namespace kclaw;

TEST(Energy, SteadyPowerHasNoUncertainty) {
  std::vector<EnergySample> samples;
  for (int i = 0; i <= 40; ++i)
    samples.push_back({0.05 * i, 1000 + 30.0 * i}); // 600 W
  Power power = powerOf(samples);
  EXPECT_NEAR(power.watts, 600, 1e-9);
  EXPECT_NEAR(power.uncertaintyWatts, 0, 1e-9);
}

TEST(Energy, UnsteadyPowerSaysHowMuch) {
  std::vector<EnergySample> samples{{0, 0}};
  for (double watts : {500, 700, 500, 700, 600})
    samples.push_back(
        {samples.back().seconds + 1, samples.back().joules + watts});
  Power power = powerOf(samples);
  EXPECT_NEAR(power.watts, 600, 1e-9);
  EXPECT_NEAR(power.uncertaintyWatts, 100 / std::sqrt(5), 1e-6);
}

TEST(Energy, TooFewReadingsAreNone) {
  EXPECT_EQ(powerOf({}).watts, 0);
  EXPECT_EQ(powerOf({{1, 5}}).watts, 0);
}

TEST(Energy, IdleIsSubtractedAndBothUncertaintiesCount) {
  // 2 s at 600 W above 100 W idle, in 1000 calls: a joule each.
  EnergyReading reading = energyPerCall({100, 3}, {600, 4}, 2, 1000);
  EXPECT_NEAR(reading.joulesPerCall, 1, 1e-12);
  EXPECT_NEAR(reading.uncertaintyJoules, 0.01, 1e-12);
  EXPECT_EQ(reading.loadWatts, 600);
  EXPECT_EQ(energyPerCall({100, 0}, {600, 0}, 2, 0).joulesPerCall, 0);
}
