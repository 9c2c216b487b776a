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
