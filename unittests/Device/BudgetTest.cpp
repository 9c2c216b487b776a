//===- BudgetTest.cpp - Budgets hold for honest arithmetic only -----------===//
#include "ErrorBudget.h"
#include "Rules/PrecisionClass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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

TEST(Budget, EveryConstantHasItsDerivationAndAFamily) {
  for (const FamilyConstant &row : familyConstants())
    EXPECT_GT(row.derivation.size(), 20u) << row.family;
  for (const Conditioning &row : conditionings()) {
    EXPECT_FALSE(row.derivation.empty()) << row.distribution;
    EXPECT_GT(row.factor, 1) << row.distribution;
    bool known = false;
    for (const FamilyConstant &family : familyConstants())
      known |= family.family == row.family;
    EXPECT_TRUE(known) << row.family;
  }
}

TEST(Budget, RoundingsInsideOfNarrowChainsCount) {
  KernelSpec spec = family("softmax");
  spec.graph.values = {{DType::f16, {4}}, {DType::f16, {4}}, {DType::f16, {4}}};
  spec.graph.ops = {{"aten.gelu", {}, {1}}, {"aten.softmax.int", {}, {2}}};
  spec.graph.results = {2};
  EXPECT_EQ(narrowIntermediates(spec), 1u);
  double chain = familyBudget(spec, DType::f16, "normal");
  spec.graph.ops[0].name = "aten.view"; // moves elements, rounds nothing
  EXPECT_EQ(narrowIntermediates(spec), 0u);
  EXPECT_GT(chain, 2 * familyBudget(spec, DType::f16, "normal"));
  EXPECT_LT(chain, 0.01);
  spec.graph.ops[0].name = "aten.gelu";
  spec.graph.values[1].dtype = DType::f32;
  EXPECT_EQ(narrowIntermediates(spec), 0u);
}

/// The largest error of `sums` dot products of `length` normal terms, relative
/// to the products' scale; `blocks` partial sums.
template <typename T>
static double dotError(int length, int blocks, int sums, double mean) {
  std::mt19937_64 random(5);
  std::normal_distribution<float> normal(static_cast<float>(mean));
  double worst = 0, scale = 0;
  std::vector<double> errors;
  for (int s = 0; s < sums; ++s) {
    std::vector<T> part(blocks);
    double exact = 0;
    for (int i = 0; i < length; ++i) {
      float a = normal(random), b = normal(random);
      exact += double(a) * double(b);
      part[i % blocks] = T(part[i % blocks] + a * b);
    }
    T sum = 0;
    for (T each : part)
      sum = T(sum + each);
    errors.push_back(std::abs(double(sum) - exact));
    scale += exact * exact;
  }
  for (double error : errors)
    worst = std::max(worst, error);
  return worst / std::sqrt(scale / sums);
}

TEST(Budget, OneAccumulatorPassesAContractionAndHalfPrecisionDoesNot) {
  double bound = familyBudget(family("contraction"), DType::f32, "normal");
  EXPECT_LT((dotError<float>(16384, 1, 64, 0)), bound);
  EXPECT_LT((dotError<float>(4096, 128, 64, 0)), bound / 8);
  EXPECT_GT((dotError<_Float16>(1024, 128, 8, 0)), 10 * bound);
}

TEST(Budget, BlockwiseSumsPassAReductionAndARunningSumOfAMillionFails) {
  double bound = familyBudget(family("reduction"), DType::f32, "normal");
  EXPECT_LT((dotError<float>(1 << 20, 1024, 2, 3)), bound);
  EXPECT_GT((dotError<float>(1 << 22, 1, 2, 3)), bound);
}

TEST(Precision, TheClassIsThatOfTheMeasuredError) {
  auto name = [](DType type, double error) {
    PrecisionClass precision;
    precision.add(type, error);
    return precision.name();
  };
  EXPECT_EQ(name(DType::f64, 1e-15), "f64");
  EXPECT_EQ(name(DType::f64, 1e-7), "f32");
  EXPECT_EQ(name(DType::f32, 0), "f32");
  EXPECT_EQ(name(DType::f32, 1e-5), "f32");
  EXPECT_EQ(name(DType::f32, 3e-4), "tf32");
  EXPECT_EQ(name(DType::f32, 2.3e-3), "bf16");
  EXPECT_EQ(name(DType::f32, 0.1), "low");
  EXPECT_EQ(name(DType::f32, NAN), "low");
  EXPECT_EQ(name(DType::f16, 3e-4), "f16");
  EXPECT_EQ(name(DType::f16, 5e-3), "bf16");
  EXPECT_EQ(name(DType::bf16, 3e-3), "bf16");
  EXPECT_EQ(PrecisionClass().name(), "exact");
}

TEST(Precision, RoundedOperandsAreToldFromTheError) {
  // A product of 512 terms whose operands have 11, then 8 significant bits.
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  auto cut = [](double value, int bits) {
    int exponent;
    double part = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(part, bits)), exponent - bits);
  };
  for (auto [bits, expected] :
       {std::pair(24, "f32"), std::pair(11, "tf32"), std::pair(8, "bf16")}) {
    double error = 0, want = 0;
    for (int sum = 0; sum < 100; ++sum) {
      double exact = 0, got = 0;
      for (int i = 0; i < 512; ++i) {
        double a = normal(random), b = normal(random);
        exact += a * b;
        got += cut(a, bits) * cut(b, bits);
      }
      error += (got - exact) * (got - exact);
      want += exact * exact;
    }
    PrecisionClass precision;
    precision.add(DType::f32, std::sqrt(error / want));
    EXPECT_EQ(precision.name(), expected);
  }
}

TEST(Precision, TheWorstResultCounts) {
  PrecisionClass precision;
  precision.add(DType::f32, 1e-7);
  precision.add(DType::f32, 3e-4);
  precision.add(DType::f32, 1e-6);
  EXPECT_EQ(precision.name(), "tf32");
}
