//===- ConditioningTest.cpp - What errors are relative to -----------------===//
#include "HostComparison.h"
#include "Problem.h"

#include <gtest/gtest.h>

#include <random>

using namespace kclaw;

TEST(Scale, ZerosOfARowDoNotMakeTheOthersSmaller) {
  std::vector<double> want(1024), got;
  want[3] = 2;
  got = want;
  got[5] = 1.5e-5; // of 2, the size of what is not zero
  EXPECT_EQ(HostComparison(DType::f32, got, want).rule(ResultKind::Float), "");
  got[5] = 3e-5;
  EXPECT_EQ(HostComparison(DType::f32, got, want).rule(ResultKind::Float),
            rules::budget);
}

TEST(Scale, BelowTheNormalRangeARoundingErrsByHalfTheSpacing) {
  double spacing = 0x1p-24;
  KernelSpec spec;
  spec.family = "softmax";
  BudgetParts parts = budgetParts(spec, DType::f16, "normal");
  auto rule = [&](double off) {
    std::vector<double> want(512, 40 * spacing), got = want;
    for (double &each : got)
      each += off;
    return HostComparison(DType::f16, got, want)
        .withBound(parts.total())
        .withShares(parts.inside / parts.total(),
                    parts.rounding / parts.total())
        .rule(ResultKind::Float);
  };
  EXPECT_EQ(rule(spacing), "");
  EXPECT_EQ(rule(2 * spacing), rules::budget);
  EXPECT_EQ(rule(-40 * spacing), rules::budget); // zeros
}

TEST(Scale, ASpreadCountsForArithmeticAndNotForRounding) {
  std::vector<double> want(256, 0.5), got = want;
  got[7] += 4e-4;
  auto rule = [&](double inside, double spread) {
    return HostComparison(DType::f32, got, want)
        .withBound(1e-5)
        .withShares(inside, 1 - inside)
        .withSpreads({spread})
        .rule(ResultKind::Float);
  };
  EXPECT_EQ(rule(1, 50), "");
  EXPECT_EQ(rule(1, 5), rules::budget);
  EXPECT_EQ(rule(0, 50), rules::budget);
}

TEST(Scale, TheSpreadIsThatOfWhatMoves) {
  // Normal, all or one in a hundred of them; and one behind a sigmoid.
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 40);
  for (int every : {1, 100}) {
    double sum2 = 0, sum4 = 0;
    for (int i = 0; i < 100000; ++i) {
      double x = i % every ? 0 : normal(random);
      sum2 += x * x;
      sum4 += x * x * x * x;
    }
    EXPECT_NEAR(kclSpreadScale(sum2, sum4), 40, every == 1 ? 1 : 6) << every;
  }
  EXPECT_EQ(kclSpreadScale(0, 0), 0);
}

TEST(Scale, ARowInWhichLittleMovesTakesTheWholesSpread) {
  EXPECT_LT(kclRowSpread(9, 81), 0);      // one move of 3
  EXPECT_EQ(kclRowSpread(0, 0), -1e-300); // none
  EXPECT_GT(kclRowSpread(64 * 9, 64 * 81), 0);
  std::vector<double> want(256, 0.5), got = want;
  got[7] += 4e-4;
  auto rule = [&](double row, double whole) {
    return HostComparison(DType::f32, got, want)
        .withBound(1e-5)
        .withShares(1, 0)
        .withSpreads({row}, whole)
        .rule(ResultKind::Float);
  };
  EXPECT_EQ(rule(-2, 50), "");
  EXPECT_EQ(rule(-2, 5), rules::budget);
  EXPECT_EQ(rule(2, 50), rules::budget); // enough moves: the row's own
}

TEST(Scale, ARowOfAScanIsAsLongAsTheScan) {
  EXPECT_EQ(errorRowLength({4, 262144}), 4096u);
  EXPECT_EQ(scannedRowLength({4, 262144}, 1), 262144u);
  EXPECT_EQ(scannedRowLength({4, 100, 128}, 1), 12800u);
  EXPECT_EQ(scannedRowLength({4, 100, 8}, 2), 800u);
  EXPECT_EQ(scannedRowLength({int64_t(1) << 30}, 0), uint64_t(1) << 26);
}

TEST(BudgetPart, RoundingAndArithmeticMakeTheFamilysBudget) {
  KernelSpec spec;
  spec.family = "contraction";
  for (Policy policy : {Policy::Torch, Policy::Tf32, Policy::Loose})
    for (DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
      spec.policy = policy;
      BudgetParts parts = budgetParts(spec, type, "normal");
      EXPECT_GT(parts.rounding, 0);
      EXPECT_GT(parts.inside, 0);
      EXPECT_DOUBLE_EQ(parts.total(), familyBudget(spec, type, "normal"));
    }
}

TEST(Discrimination, ZerosMustFailTheWidenedBudgetToo) {
  std::vector<double> want(256, 0.5);
  want[0] = -0.5;
  Comparison found = HostComparison(DType::f32, want, want)
                         .withShares(1, 0)
                         .withSpreads({5e6})
                         .run();
  EXPECT_LT(found.share, 1e-5); // of a budget of 1e-5 nothing is told
}
