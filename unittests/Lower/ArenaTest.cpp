//===- ArenaTest.cpp - Placement of temporaries ---------------------------===//
#include "Arena.h"

#include <gtest/gtest.h>

#include <random>

using namespace kclaw;

/// Buffers that are live together must not share bytes.
static void expectDisjoint(const std::vector<LiveBuffer> &buffers,
                           const ArenaPlan &plan) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(plan.offsets[i] % arenaAlignmentBytes, 0u);
    EXPECT_LE(plan.offsets[i] + buffers[i].sizeBytes, plan.sizeBytes);
    for (size_t j = 0; j < i; ++j) {
      if (buffers[i].end < buffers[j].begin ||
          buffers[j].end < buffers[i].begin)
        continue;
      EXPECT_TRUE(plan.offsets[i] + buffers[i].sizeBytes <= plan.offsets[j] ||
                  plan.offsets[j] + buffers[j].sizeBytes <= plan.offsets[i])
          << i << " and " << j << " overlap";
    }
  }
}

TEST(Arena, NothingNeedsNothing) { EXPECT_EQ(planArena({}).sizeBytes, 0u); }

TEST(Arena, SumsThatLeave64BitsDoNotWrapRound) {
  std::vector<LiveBuffer> five(5, {uint64_t{1} << 62, 0, 1});
  EXPECT_EQ(planArena(five).sizeBytes, UINT64_MAX);
}

TEST(Arena, DeadBuffersAreReused) {
  std::vector<LiveBuffer> buffers = {{1000, 0, 1}, {1000, 1, 2}, {1000, 2, 3}};
  ArenaPlan plan = planArena(buffers);
  expectDisjoint(buffers, plan);
  EXPECT_EQ(plan.offsets[0], plan.offsets[2]);
  EXPECT_EQ(plan.sizeBytes, 2048u);
}

TEST(Arena, GapBetweenLiveBuffersIsUsed) {
  std::vector<LiveBuffer> buffers = {
      {4096, 0, 9}, {2048, 0, 2}, {1024, 0, 9}, {512, 3, 9}};
  ArenaPlan plan = planArena(buffers);
  expectDisjoint(buffers, plan);
  EXPECT_EQ(plan.sizeBytes, 4096u + 2048u + 1024u);
}

TEST(Arena, EmptyBuffersHaveAPlace) {
  ArenaPlan plan = planArena({{0, 0, 1}, {0, 0, 1}});
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(Arena, RandomIntervalsNeverOverlap) {
  std::mt19937 random(7);
  std::vector<LiveBuffer> buffers;
  for (int i = 0; i < 300; ++i) {
    uint64_t begin = random() % 100;
    buffers.push_back({random() % 5000, begin, begin + random() % 20});
  }
  expectDisjoint(buffers, planArena(buffers));
}
