//===- ConfirmationTest.cpp - Winners that hold, and those that do not ----===//
#include "Confirmation.h"
#include "kernelclaw/Plan/WinRule.h"

#include <gtest/gtest.h>

using namespace kclaw;

static Evaluation measured(double candidate, double stock, uint64_t seed = 1) {
  Evaluation evaluation;
  evaluation.outcome = Outcome::Ok;
  evaluation.evidence = Evidence::Measured;
  for (int i = 0; i < 20; ++i) {
    evaluation.time.samplesMicroseconds.push_back(candidate + 0.01 * (i % 5));
    evaluation.stockTime.samplesMicroseconds.push_back(stock + 0.01 * (i % 4));
  }
  evaluation.time.blockSamples = evaluation.stockTime.blockSamples = 5;
  evaluation.time.medianMicroseconds = candidate;
  evaluation.stockTime.medianMicroseconds = stock;
  evaluation.speedup = stock / candidate;
  evaluation.speedupInterval = {evaluation.speedup * 0.99,
                                evaluation.speedup * 1.01, 0.95, 1};
  evaluation.deviceSeconds = 0.5;
  evaluation.seed = seed;
  return evaluation;
}

static Job confirmedJob() {
  Job job;
  job.confirmProcesses = 3;
  job.profileAboveSpeedup = 1.02;
  job.profile = job.energy = true;
  return job;
}

/// Answers with these, in order.
static JudgeFresh answers(std::vector<Evaluation> list, int &calls) {
  return [list, &calls](const Job &) -> Expected<Evaluation> {
    return list.at(calls++);
  };
}

TEST(Confirmation, OnlyMeasuredWinnersNeedIt) {
  EXPECT_TRUE(needsConfirmation(confirmedJob(), measured(100, 120)));
  EXPECT_FALSE(needsConfirmation(Job(), measured(100, 120)));
  EXPECT_FALSE(needsConfirmation(confirmedJob(), measured(100, 101)));
  Evaluation noisy = measured(100, 120);
  noisy.speedupInterval.low = 0.99;
  EXPECT_FALSE(needsConfirmation(confirmedJob(), noisy));
  Evaluation simulated = measured(100, 120);
  simulated.evidence = Evidence::Simulated;
  EXPECT_FALSE(needsConfirmation(confirmedJob(), simulated));
  Evaluation wrong = measured(100, 120);
  wrong.outcome = Outcome::Mismatch;
  EXPECT_FALSE(needsConfirmation(confirmedJob(), wrong));
}

TEST(Confirmation, TheFreshProcessesMakeTheSpeedup) {
  int calls = 0;
  Evaluation result =
      confirm(confirmedJob(), measured(100, 150),
              answers({measured(100, 120, 11), measured(100, 121, 12),
                       measured(100, 119, 13)},
                      calls));
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(result.confirmation.held);
  EXPECT_NEAR(result.speedup, 1.2, 0.001) << "not the lucky 1.5";
  EXPECT_EQ(result.speedupInterval.processes, 3);
  EXPECT_EQ(result.confirmation.processes.size(), 3u);
  EXPECT_EQ(result.confirmation.processes[2].seed, 13u);
  EXPECT_EQ(result.deviceSeconds, 2.0);
  EXPECT_TRUE(WinRule().holds(result));
}

TEST(Confirmation, ProcessesThatDisagreeDoNotConfirm) {
  int calls = 0;
  Evaluation result = confirm(
      confirmedJob(), measured(100, 150),
      answers({measured(100, 130), measured(100, 99), measured(100, 98)},
              calls));
  EXPECT_EQ(result.outcome, Outcome::Ok);
  EXPECT_FALSE(result.confirmation.held);
  EXPECT_NE(result.confirmation.reason.find("may be none"), std::string::npos);
  EXPECT_FALSE(WinRule().holds(result));
}

TEST(Confirmation, AFreshProcessMayRefuse) {
  Evaluation wrong = measured(100, 150);
  wrong.outcome = Outcome::Mismatch;
  wrong.rule = "budget";
  wrong.message = "result 0 is wrong";
  int calls = 0;
  Evaluation result = confirm(confirmedJob(), measured(100, 150),
                              answers({measured(100, 150), wrong}, calls));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_EQ(result.rule, "budget");
  EXPECT_EQ(result.message, "when a winner was confirmed, process 2 of 3 "
                            "refused it: result 0 is wrong");
}

TEST(Confirmation, WithoutADeviceItStaysUnconfirmed) {
  Evaluation result =
      confirm(confirmedJob(), measured(100, 150),
              [](const Job &) -> Expected<Evaluation> {
                return makeError(Error::Code::Unavailable, "no device");
              });
  EXPECT_EQ(result.outcome, Outcome::Ok);
  EXPECT_FALSE(WinRule().holds(result));
  EXPECT_EQ(result.confirmation.reason,
            "process 1 of 3 could not judge: no device");
}

TEST(Confirmation, WhatWasChosenAndCompiledGoesAlong) {
  Job job = confirmedJob();
  job.candidate.tunables.push_back({});
  job.candidate.tunables[0].name = "BLOCK";
  Evaluation first = measured(100, 150);
  first.images = {{"m", "sm_90a", "ptx", {1}, {}}};
  first.chosenTunables["BLOCK"] = 256;
  Job again = confirmingJob(job, first);
  EXPECT_EQ(again.confirmProcesses, 0);
  EXPECT_FALSE(again.profile || again.energy);
  EXPECT_EQ(again.images.size(), 1u);
  EXPECT_EQ(again.candidate.tunables[0].chosen, 256);
}

// The compiled code of the two stocks must not be mixed.
TEST(Confirmation, AgainstTheStockThatWasTaken) {
  for (bool library : {false, true}) {
    Job job = confirmedJob();
    job.stock.title = "own";
    job.libraryStock = Plan();
    job.libraryStock->title = "library";
    Evaluation first = measured(100, 150);
    first.stock.library = library;
    first.stockImages = {{"m", "sm_90a", "ptx", {1}, {}}};
    Job again = confirmingJob(job, first);
    EXPECT_FALSE(again.libraryStock);
    EXPECT_EQ(again.stock.title, library ? "library" : "own");
    EXPECT_EQ(again.stockImages.size(), 1u);
  }
}
