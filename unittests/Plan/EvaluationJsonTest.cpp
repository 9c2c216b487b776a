// Evaluation <-> JSON: one line, nothing lost, not even what JSON cannot hold.
#include "SampleEvaluation.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace kclaw;

namespace {

TEST(EvaluationJson, RoundTrip) {
  std::string text = toJson(sampleEvaluation());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  auto again = parseEvaluation(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), text);
  EXPECT_TRUE(std::isnan(again->errors[0].got));
  EXPECT_EQ(again->errors[0].maxScaled, INFINITY);
  EXPECT_EQ(again->images[0].cubin, (std::vector<uint8_t>{0, 255, 127}));
  EXPECT_EQ(again->outcome, Outcome::Mismatch);
}

TEST(EvaluationJson, TimesAndWhatTheyProve) {
  auto again = parseEvaluation(toJson(sampleEvaluation()));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->time.blockClocksMHz, (std::vector<double>{1980, 1975}));
  EXPECT_EQ(again->time.stopped, "precision");
  EXPECT_EQ(again->time.warm.medianMicroseconds, 8.5);
  EXPECT_EQ(again->speedupInterval.low, 1.8);
  EXPECT_EQ(again->speedupInterval.processes, 3);
  EXPECT_EQ(again->confirmation.processes.at(0).seed, 12u);
  EXPECT_TRUE(again->confirmation.held);
  EXPECT_EQ(again->energy.state, Energy::State::Measured);
  EXPECT_EQ(again->energy.stock.calls, 5000u);
  EXPECT_EQ(again->phases.at("compile"), 0.25);
  EXPECT_EQ(again->seed, 18446744073709551615u);
  EXPECT_EQ(again->isolation, "unmapped");
}

TEST(EvaluationJson, Profile) {
  auto again = parseEvaluation(toJson(sampleEvaluation()));
  ASSERT_TRUE(again) << again.error().message;
  const Profile &profile = again->profile;
  EXPECT_EQ(profile.level, ProfileLevel::Counters);
  EXPECT_EQ(profile.passes, 12);
  EXPECT_EQ(profile.roofline.headroom, 1.2);
  ASSERT_EQ(profile.kernels.size(), 1u);
  EXPECT_EQ(profile.kernels[0].grid[0], 132);
  EXPECT_EQ(profile.kernels[0].counters.at("dramThroughput"), 91.5);
  EXPECT_EQ(profile.kernels[0].instructionMix.at("fp32"), 12);
}

TEST(EvaluationJson, ExplanationAndChecks) {
  auto again = parseEvaluation(toJson(sampleEvaluation()));
  ASSERT_TRUE(again) << again.error().message;
  const Explanation &explanation = again->explanation;
  EXPECT_EQ(explanation.seed, 18446744073709551615u);
  EXPECT_EQ(explanation.draw, 3u);
  EXPECT_EQ(explanation.shape, (std::vector<int64_t>{4, 8}));
  ASSERT_EQ(explanation.first.size(), 2u);
  EXPECT_TRUE(std::isnan(explanation.first[0].got));
  EXPECT_TRUE(explanation.first[0].unwritten);
  EXPECT_EQ(explanation.patterns.at(0).name, "column");
  ASSERT_EQ(again->checks.size(), 2u);
  EXPECT_EQ(again->checks[1].outcome, ToolCheck::Outcome::NotRun);
  EXPECT_STREQ(name(again->checks[0].outcome), "passed");
}

TEST(EvaluationJson, OldEvaluationsHaveNeither) {
  auto old =
      parseEvaluation(R"({"jobId": "a", "outcome": "ok", "evidence": "none"})");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_TRUE(old->explanation.empty());
  EXPECT_TRUE(old->checks.empty());
  EXPECT_NE(toJson(*old).find("\"explanation\":null"), std::string::npos);
}

TEST(EvaluationJson, TheDeviceAndLostWorkers) {
  auto again = parseEvaluation(toJson(sampleEvaluation()));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(isSameDevice(again->device, sampleEvaluation().device));
  EXPECT_EQ(describe(again->device),
            "NVIDIA H200 GPU-1 at 0000:17:00.0 of node7");
  EXPECT_EQ(again->lostWorkers, sampleEvaluation().lostWorkers);
  auto none = parseEvaluation(toJson(Evaluation()));
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE(none->device.empty());
  EXPECT_FALSE(isSameDevice(none->device, none->device));
}

TEST(EvaluationJson, NoProfileIsNull) {
  std::string text = toJson(Evaluation());
  EXPECT_NE(text.find("\"profile\":null"), std::string::npos);
  auto again = parseEvaluation(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->profile.level, ProfileLevel::None);
}

TEST(EvaluationJson, EveryOutcomeHasAName) {
  for (int i = 0; i <= int(Outcome::Ok); ++i) {
    Evaluation evaluation;
    evaluation.outcome = Outcome(i);
    auto again = parseEvaluation(toJson(evaluation));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->outcome, Outcome(i));
    EXPECT_STRNE(name(Outcome(i)), "?");
  }
}

TEST(EvaluationJson, BytesThatAreNotUtf8DoNotThrow) {
  Evaluation evaluation;
  evaluation.log = "ptxas \xff\xfe error";
  auto again = parseEvaluation(toJson(evaluation));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->log, "ptxas \xEF\xBF\xBD\xEF\xBF\xBD error");
}

TEST(EvaluationJson, Errors) {
  auto bad = parseEvaluation(
      R"({"jobId": "a", "outcome": "fine", "evidence": "none"})");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message,
            "outcome: unknown value \"fine\"; accepted: rejected, "
            "compile_error, launch_error, fault, timeout, mismatch, "
            "nondeterministic, suspicious, ok");
}

TEST(EvaluationJson, NewerMembersAreLeftAlone) {
  EXPECT_TRUE(parseEvaluation(R"({"jobId": "a", "outcome": "ok",
                                  "evidence": "none", "power": 3})"));
}

} // namespace
