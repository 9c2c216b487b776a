//===- RulesTest.cpp - Rows, merging, guards, and each small rule ---------===//
#include "Correctness.h"
#include "GuardedBuffer.h"
#include "HostComparison.h"
#include "PerturbedReference.h"
#include "Rules/Discrimination.h"
#include "Rules/Redraw.h"
#include "Rules/Repeatability.h"

#include <gtest/gtest.h>

using namespace kclaw;

TEST(Repeat, BitwiseDifferencesAreRefusedOnlyWhenAskedFor) {
  EXPECT_TRUE(Deterministic::check(false, false, "normal"));
  EXPECT_TRUE(Deterministic::check(true, true, "normal"));
  auto refused = Deterministic::check(true, false, "offset");
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

static KclCompare floats() {
  KclCompare params = {};
  params.type = KclF32;
  return params;
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
      100, floats());
  EXPECT_DOUBLE_EQ(sum.relativeNorm, 0.2);
  EXPECT_DOUBLE_EQ(sum.error(), 0.3);
  EXPECT_EQ(sum.worst, 9);
  EXPECT_TRUE(sum.within(0.3));
  EXPECT_FALSE(sum.within(0.25));
}

TEST(Comparison, OneMismatchOfNonFiniteValuesNeverPasses) {
  KclPartial part = partial(0, 50, INFINITY, 3);
  part.mismatches = 1;
  EXPECT_FALSE(mergePartials({part}, 100, floats()).within(1e300));
}

TEST(Comparison, AnErrorOnAZeroReferenceIsInfinite) {
  Comparison sum = mergePartials({partial(1e-20, 0, 1, 0)}, 10, floats());
  EXPECT_FALSE(sum.within(0.5));
  EXPECT_TRUE(sum.zeroReference);
}

TEST(Comparison, AConstantReferenceDoesNotTellTheMean) {
  KclPartial part = partial(0, 400, 0, -1); // a hundred twos
  part.sumWant = 200;
  EXPECT_NEAR(mergePartials({part}, 100, floats()).meanError, 0, 1e-12);
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

TEST(Order, WhatWasNotWrittenIsToldFirst) {
  HostComparison compared(DType::f32, {NAN, 1, 5}, {1, 1, 1});
  EXPECT_EQ(compared.rule(ResultKind::Float), "spurious-non-finite");
  std::fill_n(compared.gotBytes().begin(), 4, 0xff);
  EXPECT_EQ(compared.rule(ResultKind::Float), "not-written");
  EXPECT_EQ(compared.run().beyond, 1u);
}

TEST(Order, BooleansAreRefusedByTheRuleOfTheirKind) {
  HostComparison compared(DType::boolean, {1, 0, 1}, {1, 1, 1});
  EXPECT_EQ(compared.rule(ResultKind::Exact), "exact-value");
  EXPECT_EQ(compared.rule(ResultKind::Threshold), "threshold");
  compared.withMarks({0, 1, 0});
  EXPECT_EQ(compared.rule(ResultKind::Threshold), "");
  EXPECT_EQ(compared.run().excused, 1u);
}

TEST(Doubt, FewDifferencesMayBeNearAThresholdManyMayNot) {
  ResultClass what;
  what.kind = ResultKind::Threshold;
  what.jumps = true;
  Comparison found;
  found.count = 1000;
  found.mismatches = 3;
  EXPECT_TRUE(isDoubtful(found, what, 0));
  found.mismatches = 500;
  EXPECT_FALSE(isDoubtful(found, what, 0));
  found.mismatches = 3;
  what.jumps = false;
  EXPECT_FALSE(isDoubtful(found, what, 0));
}

TEST(Doubt, AMarkExcusesAFloatBehindAStepButNotItsNeighbour) {
  std::vector<double> want(8, 1.0), got = want;
  got[3] = got[5] = 0;
  HostComparison compared(DType::f32, got, want);
  compared.withMarks({0, 0, 0, 1, 0, 0, 0, 0});
  EXPECT_EQ(compared.rule(ResultKind::Float), "budget");
  compared.withMarks({0, 0, 0, 1, 0, 1, 0, 0});
  EXPECT_EQ(compared.rule(ResultKind::Float), "");
}

TEST(Stock, ItsLargestErrorOverTheSeedsCounts) {
  StockErrors errors;
  EXPECT_EQ(errors.of("normal", 0), 0);
  errors.add("normal", 0, 2e-6);
  errors.add("normal", 0, 1e-6);
  errors.add("offset", 0, 5e-6);
  errors.add("normal", 1, 7e-6);
  EXPECT_EQ(errors.of("normal", 0), 2e-6);
  errors.add("normal", 0, NAN);
  errors.add("normal", 0, 1e-6);
  EXPECT_TRUE(std::isnan(errors.of("normal", 0)));
}

TEST(Stock, FurtherSeedsAreDrawnOnlyWhereTheyCanDecide) {
  EXPECT_FALSE(isNearMiss(0.9e-6, 1e-6, 1e-6));
  EXPECT_TRUE(isNearMiss(1.5e-6, 1e-6, 1e-6));
  EXPECT_FALSE(isNearMiss(2.5e-6, 1e-6, 1e-6));
  EXPECT_FALSE(isNearMiss(1.9e-6, 2e-6, 1e-6)); // stock widened it already
}

static Comparison ofReference(std::vector<double> want) {
  return HostComparison(DType::f32, want, want).run();
}

TEST(Redraw, WhileTheReferenceIsNotFiniteOrConstant) {
  auto reason = [](std::vector<double> want, bool mildest, bool planted) {
    Comparison stock = ofReference(std::move(want));
    DataCase data{stock, true, planted, mildest, false};
    return Redraw::reasonOfAll({&data, 1});
  };
  EXPECT_EQ(reason({1, 2, 3, 4}, false, false), "");
  EXPECT_EQ(reason({1, 2, NAN, 4}, false, false),
            "the reference is not finite");
  EXPECT_EQ(reason({1, 2, NAN, 4}, true, false), "") << "a part may stay";
  std::vector<double> mostly(8, NAN);
  mostly[0] = 1;
  EXPECT_EQ(reason(mostly, true, false), "the reference is mostly not finite");
  EXPECT_EQ(reason(mostly, false, true), "the reference is mostly not finite");
  EXPECT_EQ(reason(mostly, true, true), "");
  EXPECT_EQ(reason({2, 2, 2, 2}, false, false), "the reference is constant");
  EXPECT_EQ(reason({2, 2, 2, 2}, true, false), "");
  EXPECT_EQ(reason({2}, false, false), "") << "one element is no constant";
}

TEST(Redraw, AConstantBesideATellingResultIsNoReason) {
  Comparison flat = ofReference({2, 2, 2});
  Comparison zero = ofReference({0, 0, 0});
  Comparison good = ofReference({1, 2, 3});
  EXPECT_EQ(Redraw::reasonOfAll(std::vector<DataCase>{{flat}, {good}}), "");
  EXPECT_EQ(Redraw::reasonOfAll(std::vector<DataCase>{{zero}, {good}}), "");
  EXPECT_EQ(Redraw::reasonOfAll(std::vector<DataCase>{{flat}, {zero}}),
            Redraw::zero);
}

TEST(Discriminates, ZerosTheMeanAndOtherDataMustFail) {
  Comparison zeros = ofReference({0, 0, 0, 0});
  EXPECT_STREQ(Discriminates::passes(zeros, 1e-5, true), "zeros");
  Comparison flat = ofReference({1, 1.000001, 1, 0.999999});
  EXPECT_STREQ(Discriminates::passes(flat, 1e-5, false),
               "the mean in every element");
  Comparison good = ofReference({1, 2, 3, 4});
  EXPECT_STREQ(Discriminates::passes(good, 1e-5, true),
               "the result of other data");
  EXPECT_EQ(Discriminates::passes(good, 1e-5, false), nullptr);
}

TEST(TwoRuns, OneRightAndOneWrongIsItsOwnFault) {
  EXPECT_TRUE(TwoRuns::refuses(true, false, false));
  EXPECT_TRUE(TwoRuns::refuses(false, true, false));
  EXPECT_FALSE(TwoRuns::refuses(false, false, false));
  EXPECT_FALSE(TwoRuns::refuses(true, false, true)); // the poison differs
}
