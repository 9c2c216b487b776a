//===- SanitizerLogTest.cpp - What compute-sanitizer wrote ----------------===//
#include "Checks/SanitizerLog.h"
#include "Checks/WinnerChecks.h"

#include <gtest/gtest.h>

using namespace kclaw;

TEST(SanitizerLog, NoErrorsPass) {
  ToolCheck check = readSanitizerLog(
      "memcheck",
      "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 "
      "errors\n",
      "exit code 0");
  EXPECT_EQ(check.outcome, ToolCheck::Outcome::Passed);
  EXPECT_EQ(check.message, "");
}

TEST(SanitizerLog, TheFirstErrorIsTheMessage) {
  ToolCheck check =
      readSanitizerLog("memcheck",
                       "========= COMPUTE-SANITIZER\n"
                       "========= Invalid __global__ write of size 4 bytes\n"
                       "=========     at k+0x90 in m.cu:4\n"
                       "=========     by thread (96,0,0) in block (3,0,0)\n"
                       "=========     Address 0x7f00 is out of bounds\n"
                       "========= \n"
                       "========= ERROR SUMMARY: 32 errors\n",
                       "exit code 99");
  EXPECT_EQ(check.outcome, ToolCheck::Outcome::Finding);
  EXPECT_EQ(check.message,
            "Invalid __global__ write of size 4 bytes; at k+0x90 in m.cu:4; by "
            "thread (96,0,0) in block (3,0,0)");
}

TEST(SanitizerLog, RacecheckCountsErrorsNotWarnings) {
  auto outcome = [](const std::string &summary) {
    return readSanitizerLog("racecheck",
                            "========= RACECHECK SUMMARY: " + summary + "\n",
                            "exit code 0")
        .outcome;
  };
  EXPECT_EQ(outcome("0 hazards displayed (0 errors, 0 warnings)"),
            ToolCheck::Outcome::Passed);
  EXPECT_EQ(outcome("1 hazard displayed (0 errors, 1 warning)"),
            ToolCheck::Outcome::Passed);
  EXPECT_EQ(outcome("1 hazard displayed (1 error, 0 warnings)"),
            ToolCheck::Outcome::Finding);
}

TEST(SanitizerLog, NoSummaryIsNoVerdict) {
  ToolCheck check = readSanitizerLog(
      "synccheck",
      "========= COMPUTE-SANITIZER\n========= Error: Target application "
      "terminated before first instrumented API call\n",
      "exit code 255");
  EXPECT_EQ(check.outcome, ToolCheck::Outcome::Unfinished);
  EXPECT_EQ(check.message,
            "it gave no summary, exit code 255: Error: Target application "
            "terminated before first instrumented API call");
}

TEST(SimulatorAnswer, OnlyAFaultSpeaksAgainstTheKernel) {
  auto outcome = [](Outcome given) {
    Evaluation answer;
    answer.outcome = given;
    return readSimulatorAnswer(answer).outcome;
  };
  EXPECT_EQ(outcome(Outcome::Ok), ToolCheck::Outcome::Passed);
  EXPECT_EQ(outcome(Outcome::Fault), ToolCheck::Outcome::Finding);
  EXPECT_EQ(outcome(Outcome::Timeout), ToolCheck::Outcome::Unfinished);
  EXPECT_EQ(outcome(Outcome::Rejected), ToolCheck::Outcome::NotRun);
}
