// The loop: repair, keep the best, what ends it, what never wins.
#include "Fakes.h"
#include "Plan/SchemaCompare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

using namespace kclaw;
using Status = RegionOutcome::Status;

namespace {

TEST(OptimizeRegions, CompileErrorThenMismatchThenWin) {
  Bench bench;
  bench.options.budget.maxAttempts = 3;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::CompileError)},
                             {"plan 2", judged(Outcome::Mismatch)},
                             {"plan 3", judged(Outcome::Ok, 1.5)}};
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.status, Status::Won) << outcome.reason;
  EXPECT_EQ(outcome.plan.title, "plan 3");
  EXPECT_EQ(outcome.reason, "1.50x of stock (66.7 us, measured)");
  EXPECT_FALSE(outcome.evaluation.images.empty());

  ASSERT_EQ(bench.provider.asked.size(), 3u);
  const Conversation &second = bench.provider.asked[1];
  EXPECT_EQ(second.history[0].outcome, "compile_error");
  EXPECT_NE(second.messages[1].content.find("says compile_error"),
            std::string::npos);
  EXPECT_EQ(bench.provider.asked[2].history[1].outcome, "mismatch");

  const Job &job = bench.evaluator.jobs[0];
  EXPECT_EQ(job.id, bench.task.spec.specHash + "-1");
  EXPECT_EQ(job.candidate.producer, Producer::Model);
}

TEST(OptimizeRegions, BestOfSeveralWins) {
  Bench bench;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 1.2)},
                             {"plan 2", judged(Outcome::Ok, 1.9)},
                             {"plan 3", judged(Outcome::Ok, 1.4)}};
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.plan.title, "plan 2");
  // plan 3 is shown the best so far, not the last.
  EXPECT_NE(bench.provider.asked[2].messages[1].content.find("plan 2"),
            std::string::npos);
}

TEST(OptimizeRegions, WhatWouldBeKeptGetsAProfile) {
  Bench bench;
  bench.options.minSpeedup = 1.1;
  bench.options.budget.maxAttempts = 3;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 1.05)},
                             {"plan 2", judged(Outcome::Ok, 1.9)},
                             {"plan 3", judged(Outcome::Ok, 1.4)}};
  bench.run();
  const std::vector<Job> &jobs = bench.evaluator.jobs;
  ASSERT_EQ(jobs.size(), 3u);
  for (const Job &job : jobs)
    EXPECT_TRUE(job.profile);
  EXPECT_LT(jobs[0].profileAboveSpeedup, 1.1);
  EXPECT_NEAR(jobs[0].profileAboveSpeedup, 1.1, 1e-9);
  EXPECT_EQ(jobs[1].profileAboveSpeedup, jobs[0].profileAboveSpeedup);
  EXPECT_EQ(jobs[2].profileAboveSpeedup, 1.9);
}

TEST(OptimizeRegions, ARefutedWinnerIsNotTakenAgain) {
  Bench bench;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 1.9)},
                             {"plan 2", judged(Outcome::Ok, 1.2)}};
  bench.options.budget.maxAttempts = 2;
  RegionOutcome first = bench.run();
  ASSERT_EQ(first.plan.title, "plan 1");
  StoreKey key{bench.task.spec.specHash, bench.options.arch,
               name(bench.task.spec.policy), Evidence::Measured};
  ASSERT_TRUE(bench.store->refute(key, first.plan, "wrong as a whole"));
  bench.options.runDirectory = bench.folder / "second";
  RegionOutcome second = bench.run();
  EXPECT_EQ(second.plan.title, "plan 2");
  EXPECT_FALSE(second.fromStore);
}

TEST(OptimizeRegions, TheCheckOfTheModuleIsInTheRecord) {
  Bench bench;
  bench.task.lines = {{"/src/model.py", 12}};
  (void)bench.run();
  Verification verification;
  verification.status = VerifyStatus::Passed;
  verification.dropped = {{"main_region_0", "abc", "result 0 was wrong"}};
  auto done = recordVerification(bench.options.runDirectory, verification);
  ASSERT_TRUE(done) << done.error().message;
  std::ifstream file(bench.options.runDirectory + "/run.json");
  std::string run((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(run.find("\"status\": \"passed\""), std::string::npos) << run;
  EXPECT_NE(run.find("main_region_0"), std::string::npos);
  EXPECT_NE(run.find("\"regions\""), std::string::npos) << "the rest stays";
  EXPECT_NE(run.find("\"line\": 12"), std::string::npos) << run;
  compareWithFile(run, "run.schema.json");
  std::ifstream events(bench.options.runDirectory + "/events.jsonl");
  std::string log((std::istreambuf_iterator<char>(events)), {});
  EXPECT_NE(log.find("\"event\":\"winner_dropped\",\"specHash\":\"abc\""),
            std::string::npos);
  EXPECT_NE(log.find("\"event\":\"verified\",\"status\":\"passed\""),
            std::string::npos);
}

TEST(OptimizeRegions, ChosenTunablesAreInTheWinner) {
  Bench bench;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 2)}};
  bench.options.budget.maxAttempts = 1;
  EXPECT_EQ(bench.run().plan.tunables[0].chosen, 256);
}

TEST(OptimizeRegions, WhatNeverWins) {
  Evaluation simulated = judged(Outcome::Ok, 3);
  simulated.evidence = Evidence::Simulated;
  Evaluation unmeasured = judged(Outcome::Ok, 0);
  unmeasured.evidence = Evidence::None;
  const Evaluation cases[] = {judged(Outcome::Ok, 1.01), simulated, unmeasured,
                              judged(Outcome::Suspicious, 9)};
  for (const Evaluation &evaluation : cases) {
    Bench bench;
    bench.options.budget.maxAttempts = 1;
    bench.evaluator.byTitle = {{"plan 1", evaluation}};
    RegionOutcome outcome = bench.run();
    EXPECT_EQ(outcome.status, Status::Kept);
    EXPECT_TRUE(outcome.reason.starts_with("best of 1 attempts: "))
        << outcome.reason;
    EXPECT_EQ(outcome.evaluation.outcome, evaluation.outcome);
  }
}

TEST(OptimizeRegions, DeterministicWantsRepeatableWinners) {
  Bench bench;
  Evaluation varying = judged(Outcome::Ok, 3);
  varying.bitwiseRepeatable = false;
  Evaluation steady = judged(Outcome::Ok, 2);
  steady.bitwiseRepeatable = true;
  bench.evaluator.byTitle = {{"plan 1", varying}, {"plan 2", steady}};
  EXPECT_EQ(bench.run().plan.title, "plan 1");
  EXPECT_FALSE(bench.evaluator.jobs[0].deterministic);

  // The faster one of the store is neither used nor in the way.
  bench.options.deterministic = true;
  bench.options.runDirectory = bench.folder / "second run";
  RegionOutcome second = bench.run();
  EXPECT_FALSE(second.fromStore);
  EXPECT_EQ(second.plan.title, "plan 2");
  EXPECT_TRUE(bench.evaluator.jobs.back().deterministic);
  bench.options.runDirectory = bench.folder / "third run";
  RegionOutcome third = bench.run();
  EXPECT_TRUE(third.fromStore);
  EXPECT_EQ(third.plan.title, "plan 2");

  bench.options.deterministic = false;
  bench.options.runDirectory = bench.folder / "fourth run";
  EXPECT_EQ(bench.run().plan.title, "plan 1");
}

TEST(OptimizeRegions, DeterministicUsesARepeatableWinnerOfTheStore) {
  Bench bench;
  Evaluation steady = judged(Outcome::Ok, 2);
  steady.bitwiseRepeatable = true;
  bench.evaluator.byTitle = {{"plan 1", steady}};
  ASSERT_EQ(bench.run().status, Status::Won);
  bench.options.deterministic = true;
  bench.options.runDirectory = bench.folder / "another run";
  EXPECT_TRUE(bench.run().fromStore);
}

TEST(OptimizeRegions, SimulatedWinsWhenAccepted) {
  Bench bench;
  Evaluation simulated = judged(Outcome::Ok, 3);
  simulated.evidence = Evidence::Simulated;
  bench.evaluator.byTitle = {{"plan 1", simulated},
                             {"plan 2", judged(Outcome::Ok, 1.1)}};
  bench.options.acceptSimulated = true;
  // Never compared by time: a measured winner replaces it.
  EXPECT_EQ(bench.run().plan.title, "plan 2");
}

TEST(OptimizeRegions, CompileOnlyNeverWins) {
  Bench bench;
  bench.options.compileOnly = true;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 5)}};
  EXPECT_EQ(bench.run().status, Status::Kept);
  EXPECT_EQ(bench.evaluator.jobs[0].kind, Job::Kind::Compile);
}

TEST(OptimizeRegions, StoredWinnerAsksNobody) {
  Bench bench;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 2)}};
  ASSERT_EQ(bench.run().status, Status::Won);
  bench.provider.asked.clear();
  bench.options.runDirectory = bench.folder / "another run";
  RegionOutcome again = bench.run();
  EXPECT_EQ(again.status, Status::Won);
  EXPECT_TRUE(again.fromStore);
  EXPECT_EQ(again.plan.title, "plan 1");
  EXPECT_TRUE(bench.provider.asked.empty());
}

TEST(OptimizeRegions, KeptRegionsAreTriedAgain) {
  Bench bench;
  ASSERT_EQ(bench.run().status, Status::Kept);
  bench.provider.asked.clear();
  bench.options.runDirectory = bench.folder / "another run";
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 2)}};
  EXPECT_EQ(bench.run().status, Status::Won);
}

/// A region that kept stock after two attempts of a known search.
struct KeptBench : Bench {
  KeptBench() {
    options.searchId = "provider=fake";
    options.budget.maxAttempts = 2;
  }
  /// Runs again in a fresh directory; how often the provider was asked.
  size_t askedAgain() {
    provider.asked.clear();
    options.runDirectory = folder / ("run " + std::to_string(++runs));
    last = run();
    return provider.asked.size();
  }
  int runs = 0;
  RegionOutcome last;
};

TEST(OptimizeRegions, WhatKeptStockIsNotAskedAgain) {
  KeptBench bench;
  RegionOutcome first = bench.run();
  ASSERT_EQ(first.status, Status::Kept);
  EXPECT_EQ(bench.askedAgain(), 0u);
  EXPECT_EQ(bench.last.status, Status::Kept);
  EXPECT_TRUE(bench.last.fromStore);
  EXPECT_EQ(bench.last.reason, "from the store: " + first.reason);
  bench.options.budget.maxAttempts = 1;
  EXPECT_EQ(bench.askedAgain(), 0u) << "more attempts were made";
}

TEST(OptimizeRegions, AnotherSearchIsMade) {
  const std::pair<const char *, void (*)(AgentOptions &)> changes[] = {
      {"attempts", [](AgentOptions &o) { o.budget.maxAttempts = 3; }},
      {"search", [](AgentOptions &o) { o.searchId = "provider=other"; }},
      {"unknown", [](AgentOptions &o) { o.searchId = ""; }},
      {"simulated", [](AgentOptions &o) { o.acceptSimulated = true; }},
      {"speedup", [](AgentOptions &o) { o.minSpeedup = 1.01; }},
      {"deterministic", [](AgentOptions &o) { o.deterministic = true; }},
      {"architecture", [](AgentOptions &o) { o.arch = "sm_100a"; }}};
  for (const auto &[what, change] : changes) {
    KeptBench bench;
    ASSERT_EQ(bench.run().status, Status::Kept);
    change(bench.options);
    EXPECT_GT(bench.askedAgain(), 0u) << what;
  }
}

TEST(OptimizeRegions, AnExhaustedProviderHasNoMoreAttempts) {
  KeptBench bench;
  bench.provider.answer = [](const Conversation &) -> Expected<Reply> {
    Reply nothing;
    nothing.exhausted = true;
    return nothing;
  };
  ASSERT_EQ(bench.run().status, Status::Kept);
  bench.options.budget.maxAttempts = 9;
  EXPECT_EQ(bench.askedAgain(), 0u);
}

TEST(OptimizeRegions, WhatIsNotSettledIsAskedAgain) {
  KeptBench slow;
  slow.evaluator.byTitle = {{"plan 1", judged(Outcome::Timeout)}};
  ASSERT_EQ(slow.run().status, Status::Kept);
  EXPECT_GT(slow.askedAgain(), 0u) << "timeout";

  KeptBench poor;
  poor.options.budget.maxTokens = 200;
  poor.provider.most = {100, 100, 0, 0};
  ASSERT_TRUE(poor.run().budgetReached);
  poor.options.budget.maxTokens = 0;
  EXPECT_GT(poor.askedAgain(), 0u) << "budget";

  for (Error::Code code : {Error::Code::Unavailable, Error::Code::Parked}) {
    KeptBench away;
    auto answer = away.provider.answer;
    away.provider.answer = [code](const Conversation &) -> Expected<Reply> {
      return makeError(code, "nobody there");
    };
    ASSERT_NE(away.run().status, Status::Won);
    away.provider.answer = answer;
    EXPECT_GT(away.askedAgain(), 0u) << "no answer";
  }
}

TEST(OptimizeRegions, AnUnsettledRunLeavesWhatIsSettled) {
  KeptBench bench;
  ASSERT_EQ(bench.run().status, Status::Kept);
  std::string id = std::exchange(bench.options.searchId, "");
  EXPECT_EQ(bench.askedAgain(), 2u);
  bench.options.searchId = id;
  EXPECT_EQ(bench.askedAgain(), 0u);
}

TEST(OptimizeRegions, EqualRegionsAreWorkedOnOnce) {
  Bench bench;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 2)}};
  auto outcomes = bench.run({bench.task, bench.task});
  ASSERT_TRUE(outcomes) << outcomes.error().message;
  EXPECT_EQ((*outcomes)[1].plan.title, "plan 1");
  EXPECT_EQ(bench.provider.asked.size(), 4u);
}

TEST(OptimizeRegions, ExhaustedProviderEndsTheRegion) {
  Bench bench;
  bench.provider.answer = [](const Conversation &c) -> Expected<Reply> {
    Reply nothing;
    nothing.exhausted = true;
    return c.attempt == 1 ? planReply("plan 1") : nothing;
  };
  EXPECT_EQ(bench.run().status, Status::Kept);
  EXPECT_EQ(bench.provider.asked.size(), 2u);
}

TEST(OptimizeRegions, TruncatedIsAskedAgainOnceWithMoreRoom) {
  Bench bench;
  bench.options.budget.maxAttempts = 2;
  bench.provider.answer = [](const Conversation &c) -> Expected<Reply> {
    Reply cut;
    cut.text = "```json\n{\"steps\": [";
    cut.finishReason = "length";
    return c.attempt == 1 ? cut : planReply("plan 2");
  };
  bench.run();
  ASSERT_EQ(bench.provider.asked.size(), 3u);
  EXPECT_EQ(bench.provider.asked[1].maxTokens,
            2 * bench.provider.asked[0].maxTokens);
  EXPECT_EQ(bench.provider.asked[1].id, bench.task.spec.specHash + "-1-2");
  EXPECT_EQ(bench.provider.asked[2].history[0].outcome, "rejected");
  EXPECT_EQ(bench.evaluator.jobs.size(), 1u) << "cut code was evaluated";
}

TEST(OptimizeRegions, MalformedGoesBackWithTheReason) {
  Bench bench;
  bench.options.budget.maxAttempts = 1;
  bench.provider.answer = [](const Conversation &) -> Expected<Reply> {
    Reply reply;
    reply.toolCalls = {{"1", "submit_kernel", "[1,2]"}};
    return reply;
  };
  RegionOutcome outcome = bench.run();
  ASSERT_EQ(bench.provider.asked.size(), 3u) << "its own small cap";
  EXPECT_EQ(bench.provider.asked[1].messages.back().content,
            "That could not be used: the arguments are not a JSON object\n"
            "Answer again, complete, in the form asked for.");
  EXPECT_EQ(outcome.evaluation.outcome, Outcome::Rejected);
  EXPECT_TRUE(bench.evaluator.jobs.empty());
}

TEST(OptimizeRegions, RefusalIsNotRepeated) {
  Bench bench;
  bench.options.budget.maxAttempts = 1;
  bench.provider.answer = [](const Conversation &) -> Expected<Reply> {
    Reply reply;
    reply.refusal = "no";
    return reply;
  };
  EXPECT_EQ(bench.run().evaluation.rule, "refusal");
  EXPECT_EQ(bench.provider.asked.size(), 1u);
}

TEST(OptimizeRegions, UnfitPlansAreRejectedWithThePath) {
  Bench bench;
  bench.options.budget.maxAttempts = 2;
  bench.provider.answer = [](const Conversation &c) -> Expected<Reply> {
    Plan plan = samplePlan();
    if (c.attempt == 1)
      plan.modules[0].kind = PlanModule::Kind::Ptx;
    Reply reply;
    reply.text = toJson(plan);
    if (c.attempt == 2)
      reply.text.replace(reply.text.find("\"memset\""), 8, "\"matmul\"");
    return reply;
  };
  bench.run();
  EXPECT_TRUE(bench.evaluator.jobs.empty());
  EXPECT_EQ(bench.provider.asked[1].history[0].message,
            "modules[0].kind: only CUDA C++ is accepted here");
  auto text = std::filesystem::exists(bench.attempt(2, "evaluation.json"));
  EXPECT_TRUE(text);
}

TEST(OptimizeRegions, CapsAreHard) {
  struct Case {
    Budget budget;
    size_t calls;
  };
  const Case cases[] = {{{4, 400, 0, 0, 0}, 2},   // 150 a call, 200 reserved
                        {{4, 0, 0.6, 0, 0}, 2},   // 0.25 a call
                        {{4, 0, 0, 0, 15}, 3},    // 10 s an evaluation
                        {{4, 0, 0, 1e-9, 0}, 0}}; // no time at all
  for (const Case &row : cases) {
    Bench bench;
    bench.options.budget = row.budget;
    bench.provider.most = {100, 100, 0.25, 0};
    RegionOutcome outcome = bench.run();
    EXPECT_TRUE(outcome.budgetReached) << outcome.reason;
    EXPECT_EQ(outcome.status, Status::Kept);
    EXPECT_EQ(bench.provider.asked.size(), row.calls) << outcome.reason;
  }
}

TEST(OptimizeRegions, WinnerSurvivesABudget) {
  Bench bench;
  bench.options.budget.maxTokens = 200;
  bench.provider.most = {100, 100, 0, 0};
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 2)}};
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.status, Status::Won);
  EXPECT_TRUE(outcome.budgetReached);
}

TEST(OptimizeRegions, BrokenProviderIsAskedOnceForAllRegions) {
  Bench bench;
  bench.provider.answer = [](const Conversation &) -> Expected<Reply> {
    return makeError(Error::Code::Unavailable, "endpoint down");
  };
  RegionTask other = bench.task;
  other.spec.policy = Policy::Strict;
  other.spec.specHash = computeSpecHash(other.spec);
  auto outcomes = bench.run({bench.task, other});
  ASSERT_TRUE(outcomes) << outcomes.error().message;
  for (const RegionOutcome &outcome : *outcomes) {
    EXPECT_EQ(outcome.status, Status::Kept);
    EXPECT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.reason, "endpoint down");
  }
  EXPECT_EQ(bench.provider.asked.size(), 1u);
}

TEST(OptimizeRegions, UnusableRunDirectoryIsAnError) {
  Bench bench;
  bench.options.runDirectory = "/dev/null/run";
  auto outcomes = bench.run({bench.task});
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.error().code, Error::Code::Io);
  bench.options.runDirectory = bench.folder / "run";
  bench.options.promptDirectory = bench.folder / "none";
  outcomes = bench.run({bench.task});
  ASSERT_FALSE(outcomes);
  EXPECT_TRUE(
      outcomes.error().message.starts_with("prompts: reading folder '"));
}

} // namespace
