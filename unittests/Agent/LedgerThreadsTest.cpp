// Eight threads spend one budget: never a token too much, and none is lost.
#include "Agent/Ledger.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

using namespace kclaw;

namespace {

/// Calls `spend(thread)` on eight threads.
template <typename Spend> void onEightThreads(Spend spend) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([=] { spend(i); });
}

TEST(LedgerThreads, TheCapIsReachedToTheToken) {
  Budget budget;
  budget.maxTokens = 70 * 1000 + 69; // 1000 calls of 70, and not one more
  Ledger ledger(budget);
  std::atomic<int> calls = 0;
  onEightThreads([&](int) {
    while (auto held = ledger.reserve({40, 30, 0, 0})) {
      held->settle({40, 30, 0, 0});
      ++calls;
    }
  });
  // Another's reservation may have turned a thread away too early; what is left
  // is then still there.
  while (auto held = ledger.reserve({40, 30, 0, 0})) {
    held->settle({40, 30, 0, 0});
    ++calls;
  }
  EXPECT_EQ(calls, 1000);
  EXPECT_EQ(ledger.spent().inputTokens + ledger.spent().outputTokens, 70'000);
}

TEST(LedgerThreads, CallsUnderWayCountWithTheirBounds) {
  Budget budget;
  budget.maxTokens = 100'000;
  budget.maxDollars = 10;
  Ledger ledger(budget);
  std::atomic<int64_t> exposure = 0, worst = 0, used = 0;
  onEightThreads([&](int thread) {
    std::mt19937 random(thread);
    for (int i = 0; i < 400; ++i) {
      Usage bound{int64_t(random() % 200), int64_t(random() % 800), 0.001, 0};
      while (ledger.mustWait(bound))
        ledger.waitForRelease();
      auto held = ledger.reserve(bound);
      if (!held)
        continue;
      int64_t most = bound.inputTokens + bound.outputTokens;
      int64_t now = exposure += most;
      for (int64_t seen = worst; now > seen;)
        if (worst.compare_exchange_weak(seen, now))
          break;
      std::this_thread::yield();
      bool fails = random() % 5 == 0;
      Usage usage{bound.inputTokens / 2, bound.outputTokens / 3, 0.0005, 0};
      int64_t real = fails ? 0 : usage.inputTokens + usage.outputTokens;
      // Before the reservation ends: what others see then is no more.
      exposure -= most - real;
      used += real;
      if (!fails)
        held->settle(usage);
    }
  });
  EXPECT_LE(worst, budget.maxTokens);
  EXPECT_EQ(ledger.spent().inputTokens + ledger.spent().outputTokens, used);
  // Nothing stays reserved: all that is left can be had at once.
  EXPECT_TRUE(ledger.reserve({budget.maxTokens - used, 0, 0, 0}));
  EXPECT_FALSE(ledger.reserve({budget.maxTokens - used + 1, 0, 0, 0}));
}

TEST(LedgerThreads, ACallWaitsForWhatOthersMayNotUse) {
  Budget budget;
  budget.maxTokens = 100;
  Ledger ledger(budget);
  auto first = ledger.reserve({60, 0, 0, 0});
  ASSERT_TRUE(first);
  EXPECT_TRUE(ledger.mustWait({50, 0, 0, 0}));
  EXPECT_FALSE(ledger.mustWait({40, 0, 0, 0}));  // fits beside
  EXPECT_FALSE(ledger.mustWait({101, 0, 0, 0})); // never fits
  first->settle({10, 0, 0, 0});
  EXPECT_FALSE(ledger.mustWait({50, 0, 0, 0}));
  EXPECT_TRUE(ledger.reserve({90, 0, 0, 0}));
}

TEST(LedgerUsage, WhatCannotBeIsBookedByTheBound) {
  Budget budget;
  budget.maxTokens = 1'000'000;
  Ledger ledger(budget);
  const Usage claims[] = {{-5, 10, 0.5, 1},
                          {10, int64_t(1) << 62, 0.5, 1},
                          {10, 10, NAN, -1},
                          {10, 10, 1e300, INFINITY}};
  for (const Usage &claim : claims) {
    auto held = ledger.reserve({100, 200, 1, 0});
    ASSERT_TRUE(held);
    Usage booked = held->settle(claim);
    EXPECT_TRUE(booked.inputTokens == 10 || booked.inputTokens == 100);
    EXPECT_TRUE(booked.outputTokens == 10 || booked.outputTokens == 200);
    EXPECT_TRUE(booked.dollars == 0.5 || booked.dollars == 1);
    EXPECT_TRUE(booked.seconds == 1 || booked.seconds == 0);
  }
  EXPECT_EQ(ledger.spent().inputTokens, 130);
  EXPECT_EQ(ledger.spent().outputTokens, 230);
  EXPECT_EQ(ledger.spent().dollars, 3);
}

TEST(LedgerUsage, AnEndpointThatUsesMoreThanItsBoundIsBoundedByThat) {
  Budget budget;
  budget.maxTokens = 1000;
  Ledger ledger(budget);
  EXPECT_EQ(
      ledger.reserve({100, 100, 0, 0})->settle({100, 300, 0, 0}).outputTokens,
      300);                                    // really used: booked
  EXPECT_TRUE(ledger.reserve({300, 0, 0, 0})); // 600 at the rate that was seen
  EXPECT_FALSE(ledger.reserve({301, 0, 0, 0}));
}

TEST(LedgerUsage, ARepeatedCallHoldsWhatItsFailuresCost) {
  Budget budget;
  budget.maxTokens = 1000;
  Ledger ledger(budget);
  auto call = ledger.reserve({300, 0, 0, 0});
  ASSERT_TRUE(call);
  EXPECT_TRUE(call->raise({600, 0, 0, 0}));
  EXPECT_FALSE(ledger.reserve({401, 0, 0, 0}));
  auto other = ledger.reserve({300, 0, 0, 0});
  ASSERT_TRUE(other);
  EXPECT_FALSE(call->raise({701, 0, 0, 0})); // still holds 600
  EXPECT_TRUE(ledger.reserve({100, 0, 0, 0}));
  EXPECT_FALSE(ledger.reserve({101, 0, 0, 0}));
}

TEST(LedgerShares, ARegionStopsAtItsShareUntilSharesAreLifted) {
  Budget budget;
  budget.maxTokens = 1000;
  Ledger ledger(budget);
  ledger.share({{"a", {700, 0}}, {"b", {300, 0}}});
  EXPECT_TRUE(ledger.reserve({700, 0, 0, 0}, "a"));
  auto beyond = ledger.reserve({301, 0, 0, 0}, "b");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, Error::Code::Budget);
  EXPECT_EQ(beyond.error().message,
            "max-tokens: the region's share, 300, is used up");
  EXPECT_TRUE(ledger.shareReached("b"));
  EXPECT_FALSE(ledger.shareReached("a"));
  ledger.book({250, 0, 0, 0}, "b");
  EXPECT_EQ(ledger.spentBy("b").inputTokens, 250);
  EXPECT_EQ(ledger.spentBy("a").inputTokens, 0);
  EXPECT_FALSE(ledger.reserve({51, 0, 0, 0}, "b"));
  EXPECT_TRUE(ledger.reserve({50, 0, 0, 0}, "b"));
  ledger.share({});
  EXPECT_TRUE(ledger.reserve({750, 0, 0, 0}, "b"));
  EXPECT_FALSE(ledger.shareReached("b"));
}

} // namespace
