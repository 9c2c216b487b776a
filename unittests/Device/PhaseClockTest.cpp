//===- PhaseClockTest.cpp - No second counts twice ------------------------===//
#include "PhaseClock.h"

#include <gtest/gtest.h>

using namespace kclaw;

static PhaseClock::Time now;

TEST(PhaseClock, TimeCountsForTheInnermostPhase) {
  PhaseClock clock([] { return now; });
  auto pass = [](int seconds) { now += std::chrono::seconds(seconds); };
  pass(1); // in no phase
  {
    Phase outer(clock, "timing");
    pass(2);
    {
      Phase inner(clock, "draw");
      pass(4);
    }
    pass(8);
    EXPECT_EQ(clock.seconds().at("timing"), 10);
    pass(16);
  }
  pass(32);
  EXPECT_EQ(clock.seconds(),
            (std::map<std::string, double>{{"timing", 26}, {"draw", 4}}));
}

TEST(PhaseClock, ANewJobHasANewTable) {
  PhaseClock clock([] { return now; });
  {
    Phase phase(clock, "draw");
    now += std::chrono::seconds(1);
  }
  clock.reset();
  EXPECT_TRUE(clock.seconds().empty());
}
