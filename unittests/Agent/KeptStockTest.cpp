// Which stock a region without a winner keeps: judged once, recorded, stored.
#include "Fakes.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace kclaw;
using Status = RegionOutcome::Status;

namespace {

/// The library stock at so many times the speed of our own lowering.
Evaluation compared(double speedup, Evidence evidence = Evidence::Measured) {
  Evaluation evaluation = judged(Outcome::Ok, speedup);
  evaluation.evidence = evidence;
  evaluation.stock = {};
  evaluation.stockTime.medianMicroseconds = 100;
  evaluation.choices = {{"steps[0]", "algo 7", 50, 4096}};
  return evaluation;
}

/// Nobody offers anything; the region has a library stock.
struct StockBench : Bench {
  StockBench() {
    task.libraryStock = samplePlan();
    task.libraryStock->title = "libraries";
    task.libraryStock->producer = Producer::Stock;
    evaluator.byTitle = {{"libraries", compared(2)}};
    provider.answer = [](const Conversation &) {
      Reply reply;
      reply.exhausted = true;
      return reply;
    };
  }
  RegionOutcome again() {
    evaluator.jobs.clear();
    provider.asked.clear();
    options.runDirectory += "-again";
    return run();
  }
  std::string folder() const {
    return options.runDirectory + "/regions/" + task.spec.specHash +
           "/library-stock";
  }
};

TEST(KeptStock, TheFasterLibraryIsTakenWithoutAnyCandidate) {
  StockBench bench;
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.status, Status::Kept);
  EXPECT_TRUE(outcome.stock.library);
  ASSERT_EQ(outcome.stock.choices.size(), 1u);
  EXPECT_EQ(outcome.stock.choices[0].choice, "algo 7");
  EXPECT_EQ(outcome.reason,
            "the provider has nothing to offer; stock is the libraries' "
            "(libraries 50.0 us, our own lowering 100.0 us, measured)");
  ASSERT_EQ(bench.evaluator.jobs.size(), 1u);
  const Job &job = bench.evaluator.jobs[0];
  EXPECT_EQ(job.id, bench.task.spec.specHash + "-stock");
  EXPECT_EQ(job.candidate.producer, Producer::Stock);
  EXPECT_FALSE(job.libraryStock);
  EXPECT_FALSE(job.profile);
  for (const char *file : {"/plan.json", "/job.json", "/evaluation.json"})
    EXPECT_TRUE(std::filesystem::exists(bench.folder() + file)) << file;
}

TEST(KeptStock, OurOwnLoweringStaysWhereItIsFasterOrTheLibraryWrong) {
  StockBench slower;
  slower.evaluator.byTitle = {{"libraries", compared(0.5)}};
  RegionOutcome outcome = slower.run();
  EXPECT_FALSE(outcome.stock.library);
  EXPECT_NE(outcome.reason.find("; stock is our own lowering: our own lowering "
                                "is faster (libraries 200.0 us, our own "
                                "lowering 100.0 us, measured)"),
            std::string::npos)
      << outcome.reason;
  StockBench wrong;
  wrong.evaluator.byTitle.clear(); // a mismatch
  outcome = wrong.run();
  EXPECT_FALSE(outcome.stock.library);
  EXPECT_NE(outcome.reason.find("; stock is our own lowering: mismatch, "),
            std::string::npos)
      << outcome.reason;
}

TEST(KeptStock, ACandidateThatToldMakesTheJudgementNeedless) {
  StockBench bench;
  Evaluation slow = judged(Outcome::Ok, 0.5);
  slow.stock = {true, "", 100, 50, {{"steps[0]", "algo 9", 50, 0}}};
  Evaluation broken = judged(Outcome::Mismatch);
  broken.stock = {};
  bench.provider.answer = FakeProvider().answer;
  bench.options.budget.maxAttempts = 2;
  bench.evaluator.byTitle = {{"plan 1", slow}, {"plan 2", broken}};
  RegionOutcome outcome = bench.run();
  EXPECT_TRUE(outcome.stock.library);
  EXPECT_EQ(outcome.stock.choices.at(0).choice, "algo 9");
  EXPECT_EQ(bench.evaluator.jobs.size(), 2u);
}

TEST(KeptStock, NothingIsAskedWhereTheAnswerCouldNotBeUsed) {
  StockBench compileOnly;
  compileOnly.options.compileOnly = true;
  EXPECT_FALSE(compileOnly.run().stock.library);
  EXPECT_TRUE(compileOnly.evaluator.jobs.empty());
  StockBench simulated;
  simulated.evaluator.best = Evidence::Simulated;
  EXPECT_NE(simulated.run().reason.find("is small enough"), std::string::npos);
  EXPECT_TRUE(simulated.evaluator.jobs.empty());
  StockBench reduced;
  reduced.task.reduced.resize(
      1, {reduced.task.spec, reduced.task.stock, reduced.task.reference});
  EXPECT_FALSE(reduced.run().stock.library);
  EXPECT_TRUE(reduced.evaluator.jobs.empty());
}

TEST(KeptStock, SimulatedEvidenceCountsWithAcceptSimulated) {
  StockBench bench;
  bench.evaluator.best = Evidence::Simulated;
  bench.evaluator.byTitle = {{"libraries", compared(2, Evidence::Simulated)}};
  bench.options.acceptSimulated = true;
  EXPECT_TRUE(bench.run().stock.library);
  // A mailbox's worker says only afterwards what its evidence is.
  StockBench mailbox;
  mailbox.evaluator.byTitle = bench.evaluator.byTitle;
  RegionOutcome outcome = mailbox.run();
  EXPECT_FALSE(outcome.stock.library);
  EXPECT_NE(outcome.reason.find("accept=simulated was not given"),
            std::string::npos);
}

TEST(KeptStock, ACandidateJudgedOnTheSimulatorNeedsAcceptSimulatedToo) {
  StockBench bench;
  bench.evaluator.best = Evidence::Simulated;
  Evaluation slow = judged(Outcome::Ok, 0.5);
  slow.evidence = Evidence::Simulated;
  slow.stock = {true, "", 100, 50, {}};
  bench.provider.answer = FakeProvider().answer;
  bench.options.budget.maxAttempts = 1;
  bench.evaluator.byTitle = {{"plan 1", slow}};
  EXPECT_FALSE(bench.run().stock.library);
}

TEST(KeptStock, AResumedRunDoesNotJudgeAgain) {
  StockBench bench;
  bench.store = nullptr;
  std::string first = bench.run().reason;
  bench.evaluator.jobs.clear();
  RegionOutcome outcome = bench.run();
  EXPECT_TRUE(outcome.stock.library);
  EXPECT_EQ(outcome.reason, first);
  EXPECT_TRUE(bench.evaluator.jobs.empty());
}

TEST(KeptStock, AParkedJudgementParksTheRegion) {
  StockBench bench;
  bench.evaluator.byTitle.clear();
  bench.evaluator.byTitle.emplace(
      "libraries", makeError(Error::Code::Parked, "waiting for a worker"));
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.status, Status::Parked);
  EXPECT_EQ(outcome.reason, "waiting for a worker");
  bench.evaluator.byTitle.clear();
  bench.evaluator.byTitle.emplace("libraries", compared(2));
  EXPECT_TRUE(bench.run().stock.library);
}

TEST(KeptStock, ItsDeviceTimeIsBooked) {
  StockBench bench;
  bench.options.budget.maxGpuSeconds = 10; // as much as one judgement takes
  RegionTask second = bench.task;
  second.spec.specHash = "1" + second.spec.specHash.substr(1);
  auto outcomes = bench.run({bench.task, second});
  ASSERT_TRUE(outcomes) << outcomes.error().message;
  EXPECT_TRUE((*outcomes)[0].stock.library);
  EXPECT_FALSE((*outcomes)[1].stock.library);
  EXPECT_TRUE((*outcomes)[1].budgetReached);
  EXPECT_NE((*outcomes)[1].reason.find("max-gpu-seconds"), std::string::npos);
}

TEST(KeptStock, AnEvaluatorThatDoesNotWorkIsAskedOnceAndEndsNothing) {
  StockBench bench;
  bench.evaluator.byTitle.clear();
  bench.evaluator.byTitle.emplace(
      "libraries", makeError(Error::Code::Unavailable, "no GPU"));
  RegionTask second = bench.task;
  second.spec.specHash = "1" + second.spec.specHash.substr(1);
  auto outcomes = bench.run({bench.task, second});
  ASSERT_TRUE(outcomes) << outcomes.error().message;
  EXPECT_EQ(bench.evaluator.jobs.size(), 1u);
  for (const RegionOutcome &outcome : *outcomes) {
    EXPECT_FALSE(outcome.degraded);
    EXPECT_EQ(outcome.reason, "the provider has nothing to offer");
  }
}

TEST(KeptStock, WithoutTheLibraryNothingChangesAndNothingIsStored) {
  StockBench bench;
  Evaluation absent = judged(Outcome::Rejected);
  absent.rule = libraryAbsentRule;
  bench.evaluator.byTitle = {{"libraries", absent}};
  EXPECT_EQ(bench.run().reason, "the provider has nothing to offer");
  // Once it is there, it is judged.
  bench.evaluator.byTitle = {{"libraries", compared(2)}};
  EXPECT_TRUE(bench.again().stock.library);
}

TEST(KeptStock, TheStoreRemembersWithOrWithoutASettledSearch) {
  for (const char *search : {"", "provider=fake"}) {
    StockBench bench;
    bench.options.searchId = search;
    std::string first = bench.run().reason;
    RegionOutcome outcome = bench.again();
    EXPECT_TRUE(outcome.stock.library) << search;
    EXPECT_EQ(outcome.stock.choices.at(0).choice, "algo 7");
    EXPECT_EQ(outcome.fromStore, *search != '\0');
    EXPECT_EQ(outcome.reason, (*search ? "from the store: " : "") + first);
    EXPECT_TRUE(bench.evaluator.jobs.empty()) << search;
  }
}

TEST(KeptStock, AnotherLibraryPlanIsJudgedAgain) {
  StockBench bench;
  bench.options.searchId = "provider=fake";
  bench.run();
  bench.task.libraryStock->steps.push_back(bench.task.libraryStock->steps[0]);
  RegionOutcome outcome = bench.again();
  EXPECT_TRUE(outcome.fromStore);
  EXPECT_TRUE(outcome.stock.library);
  EXPECT_EQ(bench.evaluator.jobs.size(), 1u);
}

} // namespace
