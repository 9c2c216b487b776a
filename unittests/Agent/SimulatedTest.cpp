// What simulated evidence is good for: accepted or not, from the store, again.
#include "Fakes.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace kclaw;
using Status = RegionOutcome::Status;

namespace {

Evaluation onSimulator(double speedup,
                       Evidence evidence = Evidence::Simulated) {
  Evaluation evaluation = judged(Outcome::Ok, speedup);
  evaluation.evidence = evidence;
  return evaluation;
}

/// The sample region is a little larger than a simulator takes.
void fitTheSimulator(RegionTask &task) {
  for (auto *tensors : {&task.spec.arguments, &task.spec.results})
    for (TensorSpec &tensor : *tensors)
      for (Dim &dim : tensor.dims)
        if (dim.name == "rows")
          dim.value = 4000;
}

/// Runs on the simulator, whose first plan wins.
struct SimulatorBench : Bench {
  SimulatorBench() {
    evaluator.best = Evidence::Simulated;
    evaluator.byTitle = {{"plan 1", onSimulator(3)}};
    options.budget.maxAttempts = 1;
    options.acceptSimulated = true;
    fitTheSimulator(task);
  }
  RegionOutcome again() {
    provider.asked.clear();
    evaluator.jobs.clear();
    options.runDirectory += "-again";
    return run();
  }
};

TEST(Simulated, TheReasonNamesWhatWasNotAccepted) {
  SimulatorBench bench;
  bench.options.acceptSimulated = false;
  EXPECT_EQ(bench.run().reason,
            "best of 1 attempts: ok, 3.00x of stock (33.3 us, simulated), but "
            "accept=simulated was not given");
}

TEST(Simulated, AStoredWinnerServesOnTheSimulator) {
  SimulatorBench bench;
  ASSERT_EQ(bench.run().status, Status::Won);
  RegionOutcome second = bench.again();
  EXPECT_TRUE(second.fromStore);
  EXPECT_EQ(second.evaluation.evidence, Evidence::Simulated);
  bench.options.acceptSimulated = false;
  EXPECT_EQ(bench.again().status, Status::Kept);
}

TEST(Simulated, AGpuJudgesAStoredWinnerAgainBeforeItSearches) {
  SimulatorBench bench;
  ASSERT_EQ(bench.run().status, Status::Won);
  bench.evaluator.best = Evidence::Measured;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 1.5)}};
  RegionOutcome outcome = bench.again();
  EXPECT_EQ(outcome.status, Status::Won);
  EXPECT_EQ(outcome.reason, "1.50x of stock (66.7 us, measured)");
  EXPECT_TRUE(bench.provider.asked.empty());
  EXPECT_EQ(bench.evaluator.jobs.size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(bench.attempt(0, "evaluation.json")));
  // From now on it is a measured winner.
  EXPECT_TRUE(bench.again().fromStore);
}

TEST(Simulated, WhatWinsNoMoreOnAGpuIsNotUsed) {
  SimulatorBench bench;
  ASSERT_EQ(bench.run().status, Status::Won);
  bench.evaluator.best = Evidence::Measured;
  bench.evaluator.byTitle = {{"plan 1", judged(Outcome::Ok, 0.9)}};
  EXPECT_EQ(bench.again().status, Status::Kept);
  EXPECT_EQ(bench.provider.asked.size(), 1u);
}

TEST(OlderRules, AWinnerIsJudgedAgainBeforeAnythingIsSearched) {
  for (double speedup : {1.5, 0.9}) {
    SimulatorBench bench;
    ASSERT_EQ(bench.run().status, Status::Won);
    StoreKey key{bench.task.spec.specHash, bench.options.arch,
                 name(bench.task.spec.policy), Evidence::Simulated};
    auto entry = bench.store->find(key);
    ASSERT_TRUE(entry && *entry);
    ASSERT_TRUE(bench.store->remove(key));
    key.rulesVersion = evaluatorRulesVersion - 1;
    ASSERT_TRUE(bench.store->put(key, **entry));
    bench.evaluator.byTitle = {{"plan 1", onSimulator(speedup)}};
    RegionOutcome outcome = bench.again();
    bool wins = speedup > 1;
    EXPECT_EQ(outcome.status, wins ? Status::Won : Status::Kept);
    EXPECT_EQ(bench.provider.asked.empty(), wins);
    if (wins) {
      EXPECT_EQ(outcome.reason, "1.50x of stock (66.7 us, simulated)");
      EXPECT_TRUE(bench.again().fromStore);
    }
  }
}

TEST(Simulated, WhatIsKeptOnTheSimulatorIsSearchedOnAGpu) {
  SimulatorBench bench;
  bench.options.searchId = "provider=fake";
  bench.evaluator.byTitle = {{"plan 1", onSimulator(1.0)}};
  ASSERT_EQ(bench.run().status, Status::Kept);
  EXPECT_TRUE(bench.again().fromStore);
  bench.evaluator.best = Evidence::Measured;
  EXPECT_FALSE(bench.again().fromStore);
}

TEST(Simulated, WholeSizesAreBetterEvidenceThanReducedOnes) {
  SimulatorBench bench;
  bench.options.budget.maxAttempts = 2;
  bench.evaluator.byTitle = {
      {"plan 1", onSimulator(5, Evidence::SimulatedReduced)},
      {"plan 2", onSimulator(2)}};
  EXPECT_EQ(bench.run().plan.title, "plan 2");
}

TEST(Simulated, HugeTensorsAreNotEmbeddedFromReducedSizes) {
  SimulatorBench bench;
  bench.evaluator.byTitle = {
      {"plan 1", onSimulator(5, Evidence::SimulatedReduced)}};
  EXPECT_EQ(bench.run().status, Status::Won);
  Dim huge;
  huge.name = "huge";
  huge.min = 1;
  huge.max = 2048;
  huge.samples = {2048};
  std::vector<Dim> &dims = bench.task.spec.arguments[0].dims; // rows, 1024
  dims[0].samples = {1024};
  dims.insert(dims.begin(), huge);
  bench.task.spec.specHash = computeSpecHash(bench.task.spec);
  RegionOutcome outcome = bench.again();
  EXPECT_EQ(outcome.status, Status::Kept);
  EXPECT_NE(outcome.reason.find("2^31"), std::string::npos)
      << outcome.reason << outcome.evaluation.message;
}

} // namespace
