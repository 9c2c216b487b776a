//===- RulesTest.cpp - Budgets, rows, merging, guards ---------------------===//
#include "Correctness.h"
#include "ErrorBudget.h"
#include "GuardedBuffer.h"

#include <gtest/gtest.h>

using namespace kclaw;

static KernelSpec family(const char *name, Policy policy = Policy::Torch) {
  KernelSpec spec;
  spec.family = name;
  spec.policy = policy;
  return spec;
}

TEST(Budget, OnePassVarianceFailsWhereTwoPassesPass) {
  // Mean 100, deviation 1 in f32: E[x^2] - E[x]^2 errs by about 100^2 u, two
  // passes by some 100 u.
  double u = unitRoundoff(DType::f32);
  double bound = familyBudget(family("norm"), DType::f32, "offset");
  EXPECT_GT(bound, 200 * u);
  EXPECT_LT(bound, 5000 * u);
}

TEST(ModuleBound, IsTheLargerOfTwiceStockAndTheFamily) {
  EXPECT_EQ(moduleBound(1e-5, 1e-6), 1e-5);
  // Through many ops stock may exceed one family's budget.
  EXPECT_EQ(moduleBound(1e-5, 1e-3), 2e-3);
}

TEST(ModuleBound, WhereStockSaysNothingItIsUseless) {
  for (double stock : {0.3, HUGE_VAL, std::nan("")})
    EXPECT_FALSE(moduleBound(1e-5, stock) < uselessBound) << stock;
  EXPECT_TRUE(moduleBound(1e-5, 0.1) < uselessBound);
}

TEST(Budget, HalfPrecisionInsideFailsForF32Results) {
  for (const char *name : {"pointwise", "reduction", "softmax", "norm"})
    EXPECT_LT(familyBudget(family(name), DType::f32, "normal"),
              unitRoundoff(DType::f16))
        << name;
}

TEST(Budget, Tf32IsForThePoliciesThatAllowIt) {
  auto bound = [](const char *name, Policy policy) {
    return familyBudget(family(name, policy), DType::f32, "normal");
  };
  EXPECT_GT(bound("convolution", Policy::Torch), 1e-3);
  EXPECT_LT(bound("convolution", Policy::Strict), 1e-4);
  EXPECT_LT(bound("contraction", Policy::Torch), 1e-4);
  EXPECT_GT(bound("contraction", Policy::Tf32), 1e-3);
  EXPECT_GE(bound("contraction", Policy::Loose), 1e-2);
}

TEST(Budget, StockWidensItAtMostTwofoldAndOnlyWhenAccurate) {
  EXPECT_DOUBLE_EQ(budgetFor(1e-6, 1e-8).bound, 1e-6);
  EXPECT_DOUBLE_EQ(budgetFor(1e-6, 0.9e-6).bound, 1.8e-6);
  Budget poor = budgetFor(1e-6, 5e-6);
  EXPECT_TRUE(poor.stockInaccurate);
  EXPECT_DOUBLE_EQ(poor.bound, 1e-6);
  EXPECT_TRUE(budgetFor(1e-6, NAN).stockInaccurate);
}

TEST(Repeat, BitwiseDifferencesAreRefusedOnlyWhenAskedFor) {
  EXPECT_TRUE(requireRepeatable(false, false, "normal"));
  EXPECT_TRUE(requireRepeatable(true, true, "normal"));
  auto refused = requireRepeatable(true, false, "offset");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().outcome, Outcome::Nondeterministic);
  EXPECT_EQ(refused.error().rule, "deterministic");
  EXPECT_NE(refused.error().message.find("'offset'"), std::string::npos);
}

TEST(Rows, TrailingDimensionsUntilSixtyFourElements) {
  EXPECT_EQ(errorRowLength({32, 128}), 128u);
  EXPECT_EQ(errorRowLength({32, 16, 8}), 128u);
  EXPECT_EQ(errorRowLength({4096, 1}), 4096u);
  EXPECT_EQ(errorRowLength({}), 1u);
  EXPECT_EQ(errorRowLength({1 << 24}), 4096u);
  EXPECT_EQ(position({4, 8}, 19), "[2, 3]");
}

TEST(Problem, MoreThan2To31ElementsStayExact) {
  KernelSpec spec;
  TensorSpec tensor;
  tensor.dtype = DType::bf16;
  tensor.dims = {{"rows", 65537, 0, 0, {}}, {"cols", 32768, 0, 0, {}}};
  spec.arguments = {tensor};
  Expected<Problem> problem = instantiate(spec);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->arguments[0].count, 2147516416u);
  EXPECT_EQ(problem->arguments[0].bytes, 4295032832u);
}

TEST(Problem, OneNameWithTwoSizesIsRefused) {
  KernelSpec spec;
  TensorSpec a;
  a.dims = {{"n", 3, 0, 0, {}}};
  TensorSpec b;
  b.dims = {{"n", 4, 0, 0, {}}};
  spec.arguments = {a, b};
  Expected<Problem> problem = instantiate(spec);
  ASSERT_FALSE(problem);
  EXPECT_NE(problem.error().message.find("'n'"), std::string::npos);
}

static KclPartial partial(double error2, double want2, double scaled,
                          kcl_i64 worst) {
  KclPartial part = {};
  part.sumError2 = error2;
  part.sumWant2 = want2;
  part.maxScaled = scaled;
  part.worst = worst;
  return part;
}

TEST(Comparison, MergesNormsAndTheWorstElement) {
  Comparison sum = mergePartials(
      {partial(1, 50, 0.1, 7), partial(3, 50, 0.3, 9), partial(0, 0, 0, -1)},
      100, true);
  EXPECT_DOUBLE_EQ(sum.relativeNorm, 0.2);
  EXPECT_DOUBLE_EQ(sum.error(), 0.3);
  EXPECT_EQ(sum.worst, 9);
  EXPECT_TRUE(sum.within(0.3));
  EXPECT_FALSE(sum.within(0.25));
}

TEST(Comparison, OneMismatchOfNonFiniteValuesNeverPasses) {
  KclPartial part = partial(0, 50, INFINITY, 3);
  part.mismatches = 1;
  EXPECT_FALSE(mergePartials({part}, 100, true).within(1e300));
}

TEST(Comparison, AnErrorOnAZeroReferenceIsInfinite) {
  Comparison sum = mergePartials({partial(1e-20, 0, 1, 0)}, 10, true);
  EXPECT_FALSE(sum.within(0.5));
  EXPECT_TRUE(sum.zeroReference);
}

TEST(Comparison, AConstantReferenceDoesNotTellTheMean) {
  KclPartial part = partial(0, 400, 0, -1); // a hundred twos
  part.sumWant = 200;
  EXPECT_NEAR(mergePartials({part}, 100, true).meanError, 0, 1e-12);
}

TEST(Guards, ExactPlacementIsAMultipleOfTheAlignmentOnly) {
  for (int64_t alignment : {1, 2, 4, 16, 64, 128}) {
    uint64_t offset = guardedOffset(alignment, Placement::Exact);
    EXPECT_EQ(offset % alignment, 0u);
    EXPECT_NE(offset % (2 * alignment), 0u) << alignment;
    EXPECT_GE(offset, 4096u);
  }
  EXPECT_EQ(guardedOffset(256, Placement::Exact) % 256, 0u);
  EXPECT_EQ(guardedOffset(16, Placement::Wide) % 256, 0u);
  EXPECT_GE(guardedBytes(10) - guardedOffset(128, Placement::Exact) - 10,
            4096u);
}
