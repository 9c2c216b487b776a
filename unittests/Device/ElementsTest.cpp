//===- ElementsTest.cpp - Test data and rounding, on the host -------------===//
#include "Distributions.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

using namespace kclaw;

TEST(Round, F32IsTheConversionOfTheHost) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    double value = std::ldexp(static_cast<double>(random()) - 0x1p63,
                              static_cast<int>(random() % 330) - 220);
    EXPECT_EQ(kclRound(value, KclF32), static_cast<double>((float)value))
        << value;
  }
}

TEST(Round, F16TiesToEvenSubnormalsAndOverflow) {
  EXPECT_EQ(kclRound(2049, KclF16), 2048);
  EXPECT_EQ(kclRound(2051, KclF16), 2052);
  EXPECT_EQ(kclRound(65519, KclF16), 65504);
  EXPECT_TRUE(std::isinf(kclRound(65520, KclF16)));
  EXPECT_EQ(kclRound(1e-10, KclF16), 0);
  EXPECT_EQ(kclRound(0x1p-24 * 1.4, KclF16), 0x1p-24);
}

TEST(Round, OnceFromF64NotThroughF32) {
  // Just above a tie of bf16: by way of f32 it would become the tie.
  double value = 1 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(kclRound(value, KclBf16), 1 + 0x1p-7);
}

TEST(Encode, EveryF16AndBf16SurvivesARoundTrip) {
  for (int type : {KclF16, KclBf16})
    for (kcl_u64 bits = 0; bits < 65536; ++bits) {
      double value = kclDecode(bits, type);
      if (kclNan(value))
        continue;
      EXPECT_EQ(kclRound(value, type), value);
      EXPECT_EQ(kclEncode(value, type), bits) << value;
    }
}

TEST(Encode, IntegersKeepTheirSign) {
  EXPECT_EQ(kclDecode(kclEncode(-5, KclI8) & 0xff, KclI8), -5);
  EXPECT_EQ(kclDecode(200, KclU8), 200);
}

static double drawn(const TensorSpec &spec, size_t distribution, int level,
                    uint64_t i) {
  KclGenerate params = generateParams(spec, 1 << 20, 128,
                                      distributions[distribution], level, 99);
  return kclDecode(kclDraw(params, i), params.type);
}

TEST(Draw, EveryDistributionRespectsEveryDomain) {
  struct Row {
    Domain::Kind kind;
    double low, high;
    bool whole;
  };
  double huge = std::numeric_limits<double>::max();
  const Row rows[] = {{Domain::Kind::Real, -huge, huge, false},
                      {Domain::Kind::NonNegative, 0, huge, false},
                      {Domain::Kind::Positive, 0x1p-5, huge, false},
                      {Domain::Kind::Unit, 0, 1, false},
                      {Domain::Kind::Index, 0, 6, true},
                      {Domain::Kind::Integer, -8, 8, true},
                      {Domain::Kind::Boolean, 0, 1, true}};
  for (const Row &row : rows)
    for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::i64}) {
      TensorSpec spec;
      spec.dtype = dtype;
      spec.domain = {row.kind, 7, 0.5};
      for (size_t d = 0; d < std::size(distributions); ++d)
        for (uint64_t i = 0; i < 2000; ++i) {
          double value = drawn(spec, d, 0, i);
          ASSERT_TRUE(std::isfinite(value));
          // Integers of a real domain are small ones.
          double high =
              dtype == DType::i64 ? std::max(row.high, 16.0) : row.high;
          ASSERT_TRUE(value >= row.low && value <= high)
              << distributions[d].name << " gave " << value;
          ASSERT_TRUE(!row.whole || value == std::floor(value)) << value;
        }
    }
}

TEST(Draw, NormalHasMeanZeroAndItsScale) {
  TensorSpec spec;
  spec.domain.scale = 3;
  double sum = 0;
  double sum2 = 0;
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    double value = drawn(spec, 0, 0, i);
    sum += value;
    sum2 += value * value;
  }
  EXPECT_NEAR(sum / n, 0, 0.05);
  EXPECT_NEAR(std::sqrt(sum2 / n), 3, 0.05);
}

TEST(Draw, OffsetHasMeanAHundredDeviationsAndTiesAreTies) {
  TensorSpec spec;
  double sum = 0;
  std::set<double> values;
  int zeros = 0;
  for (int i = 0; i < 10000; ++i) {
    sum += drawn(spec, 2, 0, i);
    double tie = drawn(spec, 3, 0, i);
    values.insert(tie);
    zeros += tie == 0;
  }
  EXPECT_NEAR(sum / 10000, 100, 0.1);
  EXPECT_EQ(values.size(), 9u);
  EXPECT_GT(zeros, 4500);
}

TEST(Draw, AnotherSeedIsOtherDataAndWeightsStayMild) {
  EXPECT_NE(mixSeed(1, 1, 0), mixSeed(1, 2, 0));
  EXPECT_NE(mixSeed(1, 1, 0), mixSeed(1, 1, 1));
  TensorSpec weights;
  weights.role = Role::Param;
  for (int i = 0; i < 1000; ++i)
    EXPECT_LT(std::abs(drawn(weights, 2, 0, i)), 10);
}
