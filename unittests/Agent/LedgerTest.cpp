// Caps are checked before a call, with what it may cost at most.
#include "Agent/Ledger.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

TEST(Ledger, NoCapsNoLimits) {
  Ledger ledger{Budget()};
  ledger.book({1 << 30, 1 << 30, 1e6, 1e6});
  EXPECT_TRUE(ledger.reserve({1 << 30, 1 << 30, 1e6, 0}));
  EXPECT_EQ(*ledger.reserveDeviceSeconds(60), 60);
}

TEST(Ledger, TokensAndDollarsAreReserved) {
  Budget budget;
  budget.maxTokens = 100;
  budget.maxDollars = 1;
  Ledger ledger(budget);
  EXPECT_TRUE(ledger.reserve({40, 60, 1, 0}));
  EXPECT_FALSE(ledger.reserve({41, 60, 0, 0}));
  EXPECT_FALSE(ledger.reserve({1, 1, 1.01, 0}));
  ledger.book({30, 20, 0.5, 0});
  EXPECT_TRUE(ledger.reserve({25, 25, 0.5, 0}));
  auto over = ledger.reserve({25, 26, 0, 0});
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, Error::Code::Budget);
  EXPECT_EQ(over.error().message, "max-tokens: 50 spent, the next call may "
                                  "need 51, the cap is 100");
}

TEST(Ledger, DeviceSecondsShortenTheLastEvaluation) {
  Budget budget;
  budget.maxGpuSeconds = 70;
  Ledger ledger(budget);
  EXPECT_EQ(*ledger.reserveDeviceSeconds(60), 60);
  EXPECT_TRUE(ledger.mustWaitForDevice(60));
  EXPECT_FALSE(ledger.mustWaitForDevice(10));
  EXPECT_EQ(*ledger.reserveDeviceSeconds(60), 10); // beside the first
  ledger.releaseDevice(70);
  EXPECT_FALSE(ledger.mustWaitForDevice(60));
  ledger.bookDevice(45);
  EXPECT_EQ(*ledger.reserveDeviceSeconds(60), 25);
  ledger.releaseDevice(25);
  ledger.bookDevice(25);
  EXPECT_FALSE(ledger.reserveDeviceSeconds(60));
}

TEST(Ledger, WallClock) {
  Budget budget;
  budget.maxSeconds = 1e-9;
  Ledger ledger(budget);
  EXPECT_FALSE(ledger.reserve({}));
  EXPECT_FALSE(ledger.reserveDeviceSeconds(60));
}

TEST(Ledger, EarlierProcessesCount) {
  Budget budget;
  budget.maxSeconds = 1000;
  Ledger before(budget, 400), over(budget, 1001);
  EXPECT_LE(before.secondsLeft(), 600);
  EXPECT_GT(before.secondsLeft(), 500);
  EXPECT_TRUE(before.reserve({}));
  auto refused = over.reserve({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "max-seconds: 1000 s are over, 1001 s of "
                                     "them before this resume");
}

} // namespace
