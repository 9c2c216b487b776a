// Several workers: regions are searched at once, and find what they find alone.
#include "Fakes.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>

using namespace kclaw;

namespace {

/// Judges `width` jobs at once; with `meet` none before as many are there.
class WideEvaluator : public Evaluator {
public:
  explicit WideEvaluator(int width, bool meet) : width(width), meet(meet) {}
  int parallelJobs() const override { return width; }
  Expected<Evaluation> evaluate(const Job &job) override {
    {
      std::unique_lock lock(guard);
      ++inside;
      most = std::max(most, inside);
      changed.notify_all();
      if (meet)
        met = changed.wait_for(lock, std::chrono::seconds(20),
                               [this] { return most == width; });
    }
    Evaluation evaluation = judged(Outcome::Ok, speedupOf(job));
    evaluation.jobId = job.id;
    std::lock_guard lock(guard);
    --inside;
    return evaluation;
  }
  /// Differs between regions and attempts.
  static double speedupOf(const Job &job) {
    return 1.5 + double(job.id[0] - 'a') + 0.1 * double(job.id.back() - '0');
  }

  int width;
  bool meet, met = true;
  std::mutex guard;
  std::condition_variable changed;
  int inside = 0, most = 0;
};

std::vector<RegionTask> regions(const Bench &bench) {
  std::vector<RegionTask> tasks;
  for (const char *hash : {"a0", "b1", "c2", "a0", "d3"}) {
    tasks.push_back(bench.task);
    tasks.back().spec.specHash = hash;
    tasks.back().spec.symbol = hash + std::to_string(tasks.size());
  }
  return tasks;
}

std::vector<RegionOutcome> search(Bench &bench, Evaluator &evaluator) {
  auto outcomes = optimizeRegions(regions(bench), bench.provider, evaluator,
                                  bench.store.get(), bench.options);
  EXPECT_TRUE(outcomes) << outcomes.error().message;
  return outcomes ? *outcomes : std::vector<RegionOutcome>();
}

std::string runFile(const Bench &bench, const std::string &file) {
  std::ifstream stream(bench.options.runDirectory + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Parallel, SeveralRegionsAreUnderWayAtOnce) {
  Bench bench;
  WideEvaluator evaluator(3, /*meet=*/true);
  ASSERT_EQ(search(bench, evaluator).size(), 5u);
  EXPECT_TRUE(evaluator.met);
  EXPECT_EQ(evaluator.most, 3);
}

TEST(Parallel, EachRegionFindsWhatItFindsAlone) {
  Bench alone, together;
  WideEvaluator one(1, false), four(4, false);
  auto expected = search(alone, one), found = search(together, four);
  EXPECT_EQ(one.most, 1);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].reason, expected[i].reason) << i;
    EXPECT_EQ(toJson(found[i].plan), toJson(expected[i].plan)) << i;
    EXPECT_EQ(found[i].evaluation.jobId, expected[i].evaluation.jobId) << i;
  }
  for (const char *file : {"regions/b1/attempt-2/evaluation.json",
                           "regions/d3/attempt-3/prompt.json"}) {
    EXPECT_FALSE(runFile(alone, file).empty()) << file;
    EXPECT_EQ(runFile(together, file), runFile(alone, file)) << file;
  }
}

TEST(Parallel, DeviceSecondsUnderWayAreReserved) {
  Bench bench;
  bench.options.budget.maxGpuSeconds = 100; // 60 for one at a time
  bench.options.budget.maxAttempts = 1;
  WideEvaluator evaluator(4, false);
  auto outcomes = search(bench, evaluator);
  ASSERT_EQ(outcomes.size(), 5u);
  EXPECT_EQ(evaluator.most, 1);
  // Each uses 10 s, so all four fit one after the other.
  for (const RegionOutcome &outcome : outcomes)
    EXPECT_EQ(outcome.status, RegionOutcome::Status::Won) << outcome.reason;
}

TEST(Parallel, AnEvaluatorThatFailsEndsAllRegions) {
  class Failing : public WideEvaluator {
  public:
    Failing() : WideEvaluator(4, false) {}
    Expected<Evaluation> evaluate(const Job &) override {
      return makeError(Error::Code::Unavailable, "no device is left");
    }
  } evaluator;
  Bench bench;
  for (const RegionOutcome &outcome : search(bench, evaluator)) {
    EXPECT_EQ(outcome.status, RegionOutcome::Status::Kept);
    EXPECT_TRUE(outcome.degraded);
    EXPECT_NE(outcome.reason.find("no device is left"), std::string::npos);
  }
}

} // namespace
