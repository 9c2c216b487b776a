//===- SelftestTest.cpp - The self-test's plans are well-formed -----------===//
#include "Selftest/SelftestJob.h"
#include "kernelclaw/Plan/Job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace kclaw;

static Expected<std::vector<SelftestPlan>> parseOne(const char *path,
                                                    const char *text) {
  SelftestFile file{path, text};
  return parseSelftestPlans({&file, 1});
}

TEST(Selftest, HasTheNumbersOfPlansThatArePromised) {
  auto plans = parseSelftestPlans(selftestFiles());
  ASSERT_TRUE(plans) << plans.error().message;
  auto cheats = std::ranges::count_if(*plans, &SelftestPlan::cheat);
  EXPECT_GE(cheats, 45);
  EXPECT_GE(static_cast<std::ptrdiff_t>(plans->size()) - cheats, 25);
  std::set<std::string> names;
  for (const SelftestPlan &plan : *plans) {
    EXPECT_TRUE(names.insert(plan.name).second) << plan.name;
    EXPECT_FALSE(plan.header.about.empty()) << plan.name;
  }
}

/// Whether the plan is a plan is for the worker to say; the rest must be right.
TEST(Selftest, EveryPlanBecomesAJobOnBothDevices) {
  auto plans = parseSelftestPlans(selftestFiles());
  ASSERT_TRUE(plans);
  for (const SelftestPlan &plan : *plans)
    for (bool simulated : {false, true}) {
      auto job = makeSelftestJob(plan, selftestFiles(), {simulated, "sm_90a"});
      ASSERT_TRUE(job) << job.error().message;
      for (const std::string *text : {&job->stock, &job->reference}) {
        auto parsed = parseJob(*text);
        ASSERT_TRUE(parsed) << plan.name << ": " << parsed.error().message;
        EXPECT_EQ(parsed->kind, Job::Kind::Compile);
      }
    }
}

TEST(Selftest, AHeaderSaysWhatIsPredictedWhere) {
  auto plans = parseOne("plans/cheat/a.cu", "// Does it\n// wrong.\n"
                                            "// problem: relu\n"
                                            "// expect: fault guard-band\n"
                                            "// expect-sim: fault\n"
                                            "// step: {\"grid\": 1,\n"
                                            "//   \"args\": []}\n"
                                            "__device__ int x;\n");
  ASSERT_TRUE(plans) << plans.error().message;
  const SelftestPlan &plan = plans->front();
  EXPECT_EQ(plan.name, "a");
  EXPECT_TRUE(plan.cheat);
  EXPECT_EQ(plan.header.about, "Does it wrong.");
  EXPECT_EQ(plan.predicted(false).text(), "fault guard-band");
  EXPECT_EQ(plan.predicted(true).text(), "fault");
  EXPECT_EQ(plan.header.first("step"), "{\"grid\": 1, \"args\": []}");
}

TEST(Selftest, WrongHeadersAreRefusedByFile) {
  struct Case {
    const char *path, *text, *message;
  };
  const Case cases[] = {
      {"plans/cheat/a.cu", "// problem: relu\n",
       "plans/cheat/a.cu: the key 'expect' is missing"},
      {"plans/cheat/a.cu", "// expects: ok\n",
       "plans/cheat/a.cu: unknown key 'expects'"},
      {"plans/cheat/a.cu", "// problem: relu\n// expect: ok\n",
       "plans/cheat/a.cu: expect: a cheat must not be predicted to be ok, an "
       "honest plan must"},
      {"plans/honest/a.cu", "// problem: relu\n// expect: fine\n",
       "plans/honest/a.cu: expect: 'fine' is neither 'OUTCOME [RULE]' nor "
       "'harmless RULE'"},
  };
  for (const Case &each : cases) {
    auto plans = parseOne(each.path, each.text);
    ASSERT_FALSE(plans);
    EXPECT_EQ(plans.error().message, each.message);
  }
}
