// Job <-> JSON: one line; errors inside its parts carry the whole path.
#include "SamplePlan.h"
#include "kernelclaw/Plan/Job.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

Job sampleJob() {
  Job job;
  job.id = "abc-1";
  job.spec = sampleSpec(true);
  job.candidate = job.stock = job.reference = samplePlan();
  job.seed = 18446744073709551615u;
  job.timeoutSeconds = 7.5;
  job.deterministic = true;
  job.profile = true;
  job.profileAboveSpeedup = 1.25;
  job.explain = job.checks = true;
  job.replaySeed = 18446744073709551614u;
  job.confirmProcesses = 3;
  job.energy = true;
  job.libraryStock = samplePlan();
  job.incumbent = samplePlan();
  job.incumbentImages = {{"main", "sm_90a", "ptx", {4}, {}}};
  job.reduced = {{sampleSpec(true), samplePlan(), samplePlan()}};
  job.images = {{"main", "sm_90a", "ptx", {1, 2, 3}, {}}};
  return job;
}

TEST(JobJson, RoundTrip) {
  std::string text = toJson(sampleJob());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  auto again = parseJob(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), text);
  EXPECT_TRUE(again->deterministic);
  EXPECT_TRUE(again->profile);
  EXPECT_TRUE(again->explain);
  EXPECT_TRUE(again->checks);
  ASSERT_EQ(again->reduced.size(), 1u);
  EXPECT_EQ(toJson(again->reduced[0].spec), toJson(sampleSpec(true)));
  EXPECT_EQ(again->profileAboveSpeedup, 1.25);
  EXPECT_EQ(again->replaySeed, 18446744073709551614u);
  EXPECT_EQ(again->confirmProcesses, 3);
  EXPECT_TRUE(again->energy);
  ASSERT_TRUE(again->libraryStock);
  ASSERT_TRUE(again->incumbent);
  EXPECT_EQ(toJson(*again->incumbent), toJson(samplePlan()));
  EXPECT_EQ(again->seed, 18446744073709551615u);
}

TEST(JobJson, ErrorsNameThePath) {
  Job wrong = sampleJob();
  wrong.reduced.clear();
  wrong.incumbent.reset();
  wrong.libraryStock.reset();
  std::string text = toJson(wrong);
  size_t at = text.rfind("\"memset\"");
  auto job = parseJob(text.replace(at, 8, "\"print\""));
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().message,
            "reference.steps[0]: step kind 'print' is unknown; accepted: "
            "kernel, memset, copy, repeat, when, matmul, convolution");
}

TEST(JobJson, AReducedProblemNeedsItsPlans) {
  auto job = parseJob(R"({"id": "a", "spec": {"arguments": [], "results": []},
                          "candidate": {"buffers": [], "steps": []},
                          "stock": {"buffers": [], "steps": []},
                          "reference": {"buffers": [], "steps": []},
                          "reduced": [{"spec": {"arguments": [],
                                                "results": []}}]})");
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().message, "reduced[0].stock: missing");
}

TEST(JobJson, CompileJobsNeedOnlyTheCandidate) {
  std::string head = R"({"id": "a", "kind": ")";
  std::string rest = R"(", "spec": {"arguments": [], "results": []},
                        "candidate": {"buffers": [], "steps": []}})";
  EXPECT_TRUE(parseJob(head + "compile" + rest));
  auto job = parseJob(head + "evaluate" + rest);
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().message, "stock: missing");
}

} // namespace
