// The strategy `roles`: who is asked when, what code refuses, what ends it.
#include "RoleScript.h"

#include <gtest/gtest.h>

using namespace kclaw;
using Status = RegionOutcome::Status;

namespace {

TEST(Roles, SeedsThenPlannerAndOptimizerOnTheBest) {
  RolesBench bench;
  bench.options.budget.maxAttempts = 3;
  bench.results = {{1, judged(Outcome::Ok, 1.2)},
                   {2, judged(Outcome::Ok, 1.5)},
                   {3, judged(Outcome::Ok, 2)}};
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.status, Status::Won) << outcome.reason;
  EXPECT_EQ(outcome.plan.title, "plan 3");
  EXPECT_EQ(bench.roles(), "generator generator planner optimizer")
      << bench.record(3)["message"];
  // Seeds differ in approach; what is the same for all calls comes first.
  const auto &asked = bench.provider.asked;
  EXPECT_NE(asked[0].messages[2].content, asked[1].messages[2].content);
  for (const Conversation &each : asked) {
    EXPECT_EQ(each.messages[0].content, asked[0].messages[0].content);
    EXPECT_EQ(each.messages[1].content, asked[0].messages[1].content);
    EXPECT_TRUE(each.messages[1].endsStablePrefix);
    EXPECT_FALSE(each.messages[2].endsStablePrefix);
  }
  EXPECT_FALSE(asked[2].responseSchema.empty());
  json::Json record = bench.record(3);
  EXPECT_EQ(record["parent"], 2);
  EXPECT_EQ(record["phase"], "optimise");
  EXPECT_EQ(record["method"], bench.method);
  EXPECT_EQ(record["predicted"]["time"], -1);
  EXPECT_NEAR(record["measured"]["time"].get<double>(), 0.75, 1e-9);
  EXPECT_EQ(record["promoted"], true);
  EXPECT_EQ(record["inputTokens"], 200);
  EXPECT_NE(record["diff"].get<std::string>().find("+ \"title\": \"plan 3\""),
            std::string::npos);
}

TEST(Roles, AFailedChangeIsRepairedUpToTheCapThenItsParentGoesOn) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.repairCap = 2;
  bench.options.budget.maxAttempts = 5;
  bench.results = {{1, judged(Outcome::Ok, 1.2)}};
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(bench.roles(), "generator planner optimizer diagnoser repairer "
                           "diagnoser repairer planner optimizer");
  EXPECT_EQ(bench.record(3)["parent"], 2);
  EXPECT_EQ(bench.record(3)["phase"], "repair");
  EXPECT_EQ(bench.record(3)["method"], bench.record(2)["method"]);
  EXPECT_EQ(bench.record(4)["parent"], 3);
  EXPECT_EQ(bench.record(5)["parent"], 1);
  // The method that failed there is refused on that parent.
  EXPECT_NE(bench.record(5)["method"], bench.record(2)["method"]);
  // The second repairer sees the first repair.
  const Conversation &second = bench.provider.asked[6];
  EXPECT_EQ(second.role, "repairer");
  EXPECT_NE(second.messages[2].content.find("tried to mend 2"),
            std::string::npos);
  EXPECT_EQ(outcome.plan.title, "plan 1");
}

TEST(Roles, ASeedIsRepairedOnlyWhileNothingIsRight) {
  RolesBench bench;
  bench.options.budget.maxAttempts = 3;
  bench.results = {{3, judged(Outcome::Ok, 1.5)}};
  bench.run();
  EXPECT_EQ(bench.roles(), "generator generator diagnoser repairer");
  RolesBench other;
  other.options.budget.maxAttempts = 3;
  other.results = {{2, judged(Outcome::Ok, 1.5)}};
  other.run();
  EXPECT_EQ(other.roles(), "generator generator planner optimizer");
}

TEST(Roles, AMethodTheGateDoesNotAllowIsRefused) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 2;
  bench.results = {{1, judged(Outcome::Ok, 1.2)}};
  bench.plannedMethod = "cuda_graphs_and_luck";
  bench.run();
  EXPECT_EQ(bench.roles(), "generator planner planner");
  const std::string &reason = bench.provider.asked[2].messages.back().content;
  EXPECT_NE(reason.find("'cuda_graphs_and_luck' is not allowed here"),
            std::string::npos);
  EXPECT_EQ(bench.record(2)["outcome"], "rejected");
  EXPECT_EQ(bench.record(2)["rule"], "gate");
  EXPECT_EQ(bench.evaluator.jobs.size(), 1u);
}

TEST(Roles, EvidenceWithoutAMeasuredNumberIsRefused) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 2;
  bench.results = {{1, judged(Outcome::Ok, 1.2)}};
  bench.evidence = "it is slow, perhaps 123456789 times";
  bench.run();
  EXPECT_EQ(bench.record(2)["rule"], "evidence");
}

TEST(Roles, ADiagnosisQuotesWhatIsThere) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 2;
  bench.quote = "an error that never was";
  bench.run();
  EXPECT_EQ(bench.roles(), "generator diagnoser diagnoser");
  EXPECT_EQ(bench.record(2)["rule"], "quote");
}

TEST(Roles, EditsThatDoNotApplyAreAskedForOnce) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 2;
  bench.results = {{1, judged(Outcome::Ok, 1.2)},
                   {2, judged(Outcome::Ok, 1.5)}};
  bench.badEdits = 1;
  EXPECT_EQ(bench.run().plan.title, "plan 2");
  EXPECT_EQ(bench.roles(), "generator planner optimizer optimizer");
  const auto &messages = bench.provider.asked[3].messages;
  EXPECT_NE(messages.back().content.find("does not occur in the file"),
            std::string::npos);

  RolesBench twice;
  twice.options = bench.options;
  twice.options.runDirectory = twice.folder / "run";
  twice.results = bench.results;
  twice.badEdits = 2;
  EXPECT_EQ(twice.run().plan.title, "plan 1");
  EXPECT_EQ(twice.record(2)["rule"], "edits");
}

TEST(Roles, ARegionAtTheRooflineCostsNoFurtherToken) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 5;
  Evaluation best = judged(Outcome::Ok, 1.2);
  best.profile.roofline.headroom = 1.03;
  bench.results = {{1, best}};
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.status, Status::Won);
  EXPECT_EQ(bench.provider.asked.size(), 1u);

  RolesBench stock; // three times slower than a stock that is at the roof
  stock.options = bench.options;
  stock.options.runDirectory = stock.folder / "run";
  Evaluation slow = judged(Outcome::Ok, 0.34);
  slow.profile.roofline.headroom = 3;
  stock.results = {{1, slow}};
  outcome = stock.run();
  EXPECT_EQ(outcome.status, Status::Kept);
  EXPECT_NE(outcome.reason.find("stock is at the roofline"), std::string::npos)
      << outcome.reason;
}

TEST(Roles, NoGainInSoManyAttemptsEndsTheSearch) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.repairCap = 0;
  bench.options.noGainAttempts = 2;
  bench.options.budget.maxAttempts = 9;
  bench.results = {{1, judged(Outcome::Ok, 1.2)}};
  bench.run();
  EXPECT_EQ(bench.roles(), "generator planner optimizer planner optimizer");
}

TEST(Roles, OutcomesAreLearned) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 3;
  bench.results = {{1, judged(Outcome::Ok, 1.2)},
                   {3, judged(Outcome::Ok, 1.8)}};
  bench.run();
  auto rows = bench.store->experiences({});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3u);
  const Experience &mended = (*rows)[2];
  EXPECT_EQ(mended.method, bench.method);
  EXPECT_NEAR(mended.gain, 1.5, 1e-9);
  EXPECT_EQ(mended.predicted.at("time"), -1);
  EXPECT_FALSE(mended.context.empty());
  EXPECT_EQ((*rows)[1].outcome, Outcome::Mismatch);
  auto lessons = bench.store->lessonCandidates();
  ASSERT_TRUE(lessons);
  ASSERT_EQ(lessons->size(), 1u);
  EXPECT_EQ(lessons->front().fix, "write them");
}

TEST(Roles, KilledAfterEachFileTheSameCourseIsTaken) {
  auto script = [](RolesBench &bench) {
    bench.provider.pauseMilliseconds = bench.evaluator.pauseMilliseconds = 10;
    bench.options.seeds = 2;
    bench.options.budget.maxAttempts = 5;
    bench.results = {{1, judged(Outcome::Ok, 1.2)},
                     {4, judged(Outcome::Ok, 1.5)},
                     {5, judged(Outcome::Ok, 1.7)}};
  };
  RolesBench whole;
  script(whole);
  ASSERT_EQ(whole.run().plan.title, "plan 5");
  size_t files = filesInOrder(whole.region()).size();
  ASSERT_GT(files, 25u);
  for (size_t kept = 0; kept < files; ++kept) {
    RolesBench bench;
    script(bench);
    bench.run();
    std::vector<std::string> paths = filesInOrder(bench.region());
    ASSERT_EQ(paths.size(), files);
    int replies = 0;
    for (size_t i = kept; i < files; ++i) {
      replies += paths[i].find("/reply") != std::string::npos;
      std::filesystem::remove(paths[i]);
    }
    bench.provider.asked.clear();
    RegionOutcome outcome = bench.run();
    EXPECT_EQ(outcome.plan.title, "plan 5") << paths[kept];
    EXPECT_EQ(int(bench.provider.asked.size()), replies) << paths[kept];
    for (int k = 1; k <= 5; ++k)
      EXPECT_EQ(bench.record(k), whole.record(k)) << paths[kept] << " " << k;
    auto rows = bench.store->experiences({});
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->size(), 5u);
  }
}

} // namespace
