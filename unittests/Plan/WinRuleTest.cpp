// WinRule: two per cent, an interval above one, confirmed where asked.
#include "kernelclaw/Plan/WinRule.h"

#include <gtest/gtest.h>

using namespace kclaw;

static Evaluation measured(double speedup, double low, double high) {
  Evaluation evaluation;
  evaluation.outcome = Outcome::Ok;
  evaluation.speedup = speedup;
  evaluation.speedupInterval = {low, high, 0.95, 1};
  return evaluation;
}

TEST(WinRule, TwoPerCentAndAnIntervalAboveOne) {
  WinRule rule;
  EXPECT_TRUE(rule.holds(measured(1.02, 1.001, 1.04)));
  EXPECT_FALSE(rule.holds(measured(1.019, 1.01, 1.03)));
  EXPECT_FALSE(rule.holds(measured(1.05, 0.999, 1.1)));
  EXPECT_FALSE(rule.holds(measured(1.05, 1.0, 1.1)));
  EXPECT_EQ(rule.whyNot(measured(1.05, 0.98, 1.1)),
            "its speedup may be none: interval 0.980 to 1.100");
}

TEST(WinRule, OnlyWhatIsRightWins) {
  Evaluation wrong = measured(2, 1.9, 2.1);
  wrong.outcome = Outcome::Mismatch;
  EXPECT_FALSE(WinRule().holds(wrong));
  Evaluation nothing = measured(0, 0, 0);
  EXPECT_FALSE(WinRule().holds(nothing));
  EXPECT_EQ(WinRule().whyNot(nothing), "it was not timed");
}

TEST(WinRule, OneEstimateHasNoInterval) {
  Evaluation simulated = measured(1.5, 0, 0);
  simulated.speedupInterval = {};
  EXPECT_TRUE(WinRule().holds(simulated));
}

TEST(WinRule, WhatWasToBeConfirmedMustBe) {
  Evaluation winner = measured(1.5, 1.4, 1.6);
  winner.confirmation.asked = 3;
  winner.confirmation.reason = "process 2 of 3 was slower";
  EXPECT_EQ(WinRule().whyNot(winner),
            "not confirmed: process 2 of 3 was slower");
  winner.confirmation.held = true;
  EXPECT_TRUE(WinRule().holds(winner));
}
