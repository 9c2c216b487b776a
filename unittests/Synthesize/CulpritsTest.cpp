// Bisecting winners out of a module: one, several and joint culprits, a wrong
// stock, a judge that gives up; and how many trials it takes.
#include "Culprits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace kclaw;

namespace {

using Names = std::vector<std::string>;

Names numbered(int count) {
  Names names;
  for (int i = 0; i < count; ++i)
    names.push_back("r" + std::to_string(i));
  return names;
}

/// A judge that refuses modules holding all of any group.
struct Judge {
  std::vector<std::set<std::string>> wrong;
  int givesUpAfter = 1000;
  int trials = 0;

  RunTrial run() {
    return [this](const Names &winners) -> Trial {
      if (++trials > givesUpAfter)
        return {VerifyStatus::Unverified, "out of memory"};
      std::set<std::string> inside(winners.begin(), winners.end());
      for (const auto &group : wrong)
        if (std::ranges::includes(inside, group))
          return {VerifyStatus::Failed, "trial " + std::to_string(trials)};
      return {VerifyStatus::Passed, ""};
    };
  }
};

std::set<std::string> found(const Culprits &culprits) {
  std::set<std::string> names;
  for (const Culprit &culprit : culprits.found)
    names.insert(culprit.name);
  return names;
}

} // namespace

TEST(Culprits, OneIsFoundWhereverItIs) {
  for (int i = 0; i < 9; ++i) {
    std::string name = "r" + std::to_string(i);
    Judge judge{{{name}}};
    Culprits culprits = findCulprits(numbered(9), judge.run());
    EXPECT_EQ(culprits.status, VerifyStatus::Passed);
    EXPECT_EQ(found(culprits), std::set<std::string>{name});
    EXPECT_EQ(culprits.kept.size(), 8u);
    EXPECT_LE(judge.trials, 6) << "all stock, log2(9), the rest";
  }
}

TEST(Culprits, AllOfSeveralAreFound) {
  Judge judge{{{"r1"}, {"r4"}, {"r5"}}};
  Culprits culprits = findCulprits(numbered(6), judge.run());
  EXPECT_EQ(culprits.status, VerifyStatus::Passed);
  EXPECT_EQ(found(culprits), (std::set<std::string>{"r1", "r4", "r5"}));
  EXPECT_EQ(culprits.kept, (Names{"r0", "r2", "r3"}));
}

TEST(Culprits, OfTwoThatFailOnlyTogetherOneGoes) {
  Judge judge{{{"r0", "r3"}}};
  Culprits culprits = findCulprits(numbered(4), judge.run());
  EXPECT_EQ(culprits.status, VerifyStatus::Passed);
  EXPECT_EQ(culprits.found.size(), 1u);
  EXPECT_EQ(culprits.kept.size(), 3u);
}

TEST(Culprits, TheReasonIsThatOfATrialWithTheCulprit) {
  Judge judge{{{"r2"}}};
  Culprits culprits = findCulprits(numbered(4), judge.run());
  ASSERT_EQ(culprits.found.size(), 1u);
  // Trial 1: stock. 2: r0 r1 pass. 3: r0 r1 r2 fail.
  EXPECT_EQ(culprits.found[0].reason, "trial 3");
}

TEST(Culprits, ALoneWinnerNeedsOnlyTheTrialOfStock) {
  Judge judge{{{"r0"}}};
  Culprits culprits = findCulprits(numbered(1), judge.run());
  EXPECT_EQ(culprits.status, VerifyStatus::Passed);
  EXPECT_EQ(found(culprits), std::set<std::string>{"r0"});
  EXPECT_EQ(judge.trials, 1);
}

TEST(Culprits, WrongStockIsNobodysFault) {
  Judge judge{{{}}};
  Culprits culprits = findCulprits(numbered(3), judge.run());
  EXPECT_EQ(culprits.status, VerifyStatus::Failed);
  EXPECT_TRUE(culprits.found.empty());
  EXPECT_EQ(judge.trials, 1);
}

TEST(Culprits, AJudgeThatGivesUpEndsTheSearch) {
  for (int after = 0; after < 4; ++after) {
    Judge judge{{{"r2"}}, after};
    Culprits culprits = findCulprits(numbered(4), judge.run());
    EXPECT_EQ(culprits.status, VerifyStatus::Unverified) << after;
    EXPECT_EQ(culprits.reason, "out of memory") << after;
  }
}
