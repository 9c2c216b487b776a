// VerifyReport: the verdict follows from the entries; JSON keeps it all.
#include "kernelclaw/Plan/VerifyReport.h"
#include "SampleEvaluation.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

EntryReport entry(VerifyStatus status, const std::string &name = "main") {
  return {name, status, "rule", "why", {}, 0, 0};
}

TEST(VerifyReport, FailureOutweighsTheRest) {
  using enum VerifyStatus;
  EXPECT_EQ(VerifyReport{}.status(), Unverified);
  EXPECT_EQ((VerifyReport{"", {entry(Passed)}}).status(), Passed);
  EXPECT_EQ((VerifyReport{"", {entry(Passed), entry(Unverified)}}).status(),
            Unverified);
  EXPECT_EQ((VerifyReport{"", {entry(Unverified), entry(Failed)}}).status(),
            Failed);
}

TEST(VerifyReport, TheReasonIsThatOfTheEntriesThatDecide) {
  using enum VerifyStatus;
  VerifyReport report{"", {entry(Unverified, "a"), entry(Failed, "b")}};
  EXPECT_EQ(report.reason(), "b: rule: why");
  EXPECT_EQ((VerifyReport{"", {entry(Passed)}}).reason(), "");
  EXPECT_NE(VerifyReport{}.reason(), "");
}

TEST(VerifyReport, RoundTrip) {
  VerifyReport report{"NVIDIA H200", {entry(VerifyStatus::Failed)}};
  report.entries[0].errors = sampleEvaluation().errors;
  report.entries[0].regionsWon = 3;
  std::string text = toJson(report);
  auto again = parseVerifyReport(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), text);
}

TEST(VerifyReport, AVerdictThatTheEntriesDoNotBearOutIsRefused) {
  std::string text = toJson(VerifyReport{"", {entry(VerifyStatus::Failed)}});
  text.replace(text.find("failed"), 6, "passed");
  EXPECT_FALSE(parseVerifyReport(text));
}

} // namespace
