//===- ElementsTest.cpp - Test data and rounding, on the host -------------===//
#include "Distributions.h"
#include "ErrorBudget.h"

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
          if (distributions[d].kind == KclSpecial && takesSpecials(spec) &&
              !std::isfinite(value))
            continue;
          ASSERT_TRUE(std::isfinite(value));
          // Integers of a real domain are small ones.
          double high =
              dtype == DType::i64 ? std::max(row.high, 16.0) : row.high;
          double low = row.low;
          if (row.kind == Domain::Kind::Integer &&
              distributions[d].kind == KclWide) {
            high = std::ldexp(1.0, kclWideBits(int(dtype)));
            high = std::max(high, 8.0);
            low = -high;
          }
          ASSERT_TRUE(value >= low && value <= high)
              << distributions[d].name << " gave " << value;
          ASSERT_TRUE(!row.whole || value == std::floor(value)) << value;
        }
    }
}

TEST(Draw, WideIntegersReachMagnitudesWhoseProductsAreExact) {
  const std::pair<DType, double> rows[] = {{DType::i64, 0x1p63},
                                           {DType::i32, 0x1p31},
                                           {DType::i16, 0x1p15},
                                           {DType::f32, 0x1p24},
                                           {DType::i8, 0x1p7}};
  for (auto [dtype, exact] : rows) {
    TensorSpec spec;
    spec.dtype = dtype;
    spec.domain.kind = Domain::Kind::Integer;
    double largest = 0, smallest = 1e9;
    int small = 0;
    for (uint64_t i = 0; i < 10000; ++i) {
      double value = drawn(spec, 4, 0, i);
      largest = std::max(largest, value);
      smallest = std::min(smallest, value);
      small += std::fabs(value) < 8;
    }
    EXPECT_LE(largest * largest, exact);
    EXPECT_EQ(largest > 32, dtype != DType::i8) << largest;
    EXPECT_LT(smallest, -7.5);
    EXPECT_GT(small, 1000) << "small ones stay frequent";
    EXPECT_LT(std::fabs(drawn(spec, 4, 1, 0)), 9) << "milder";
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

TEST(Draw, AQuarterOfTheRowsIsNegativeAndAnotherPositive) {
  TensorSpec spec;
  constexpr uint64_t rows = 512, length = 128; // as in drawn()
  uint64_t negative = 0, positive = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t below = 0;
    for (uint64_t i = 0; i < length; ++i)
      below += drawn(spec, KclUniform, 0, row * length + i) < 0;
    negative += below == length;
    positive += below == 0;
  }
  EXPECT_NEAR(static_cast<double>(negative), rows / 4.0, 40);
  EXPECT_NEAR(static_cast<double>(positive), rows / 4.0, 40);
}

TEST(Draw, AnotherSeedIsOtherDataAndWeightsStayMild) {
  EXPECT_NE(mixSeed(1, 1, 0), mixSeed(1, 2, 0));
  EXPECT_NE(mixSeed(1, 1, 0), mixSeed(1, 1, 1));
  TensorSpec weights;
  weights.role = Role::Param;
  for (int i = 0; i < 1000; ++i)
    EXPECT_LT(std::abs(drawn(weights, 2, 0, i)), 10);
}

TEST(Draw, ParametersOfAConvolutionDoNotCancelBesideAnOffset) {
  KernelSpec spec;
  spec.arguments.resize(2);
  spec.arguments[1].role = Role::Param;
  auto negative = [&](const char *family, size_t argument, size_t kind) {
    spec.family = family;
    KclGenerate params =
        generateParams(spec, argument, 1000, 100, distributions[kind], 0, 99);
    int below = 0;
    for (uint64_t i = 0; i < 1000; ++i)
      below += kclDecode(kclDraw(params, i), params.type) < 0;
    return below;
  };
  EXPECT_EQ(negative("convolution", 1, KclOffset), 0);
  EXPECT_EQ(negative("convolution", 0, KclOffset), 0);
  EXPECT_NEAR(negative("convolution", 1, KclNormal), 500, 100);
  EXPECT_NEAR(negative("contraction", 1, KclOffset), 500, 100);
  spec.policy = Policy::Tf32;
  EXPECT_EQ(negative("contraction", 1, KclOffset), 0);
}

static size_t indexOf(int kind) {
  for (size_t d = 0; d < std::size(distributions); ++d)
    if (distributions[d].kind == kind)
      return d;
  return 0;
}

TEST(Draw, ASpikeMakesASumOfHalfTheElementsWrong) {
  TensorSpec spec;
  double all = 0, half = 0;
  int spikes = 0;
  for (uint64_t i = 0; i < 1 << 20; ++i) {
    double value = std::abs(drawn(spec, indexOf(KclSpike), 0, i));
    all += value * value;
    half += i % 2 ? 2 * value * value : 0;
    spikes += value == 1024;
  }
  // One in sixteen rows of 128 elements.
  EXPECT_GT(spikes, 400);
  EXPECT_LT(spikes, 700);
  EXPECT_GT(std::abs(half - all) / all, 0.01);
}

TEST(Draw, EvenASmallTensorHasItsSpikeAtAnotherPlaceEachTime) {
  std::set<uint64_t> places;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    KclGenerate params =
        generateParams(TensorSpec(), 500, 100, distributions[indexOf(KclSpike)],
                       0, mixSeed(seed, 1, 0));
    for (uint64_t i = 0; i < 500; ++i)
      if (std::abs(kclDecode(kclDraw(params, i), KclF32)) == 1024)
        places.insert(i);
  }
  EXPECT_GT(places.size(), 10u);
}

TEST(Draw, SpecialHasEveryKindAndMostRowsArePlain) {
  for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64}) {
    TensorSpec spec;
    spec.dtype = dtype;
    int nans = 0, up = 0, down = 0, zeros = 0, denormals = 0, plainRows = 0;
    double smallest = dtype == DType::f16 ? 0x1p-14 : 0x1p-126;
    for (uint64_t row = 0; row < 1024; ++row) {
      bool plain = true;
      for (uint64_t i = row * 128; i < (row + 1) * 128; ++i) {
        double value = drawn(spec, indexOf(KclSpecial), 0, i);
        nans += std::isnan(value);
        up += value == INFINITY;
        down += value == -INFINITY;
        zeros += value == 0;
        bool denormal = value != 0 && std::abs(value) < smallest;
        denormals += denormal;
        plain &= std::isfinite(value) && value != 0 && !denormal;
      }
      plainRows += plain;
    }
    for (int kind : {nans, up, down})
      EXPECT_TRUE(kind > 30 && kind < 110) << kind;
    EXPECT_GT(zeros, 30 * 128);
    EXPECT_GT(denormals, 30 * 32);
    EXPECT_GT(plainRows, 600);
  }
}

TEST(Draw, TheMildestSpecialHasOneNaN) {
  int others = 0;
  TensorSpec spec;
  KclGenerate params =
      generateParams(spec, 4096, 64, distributions[indexOf(KclSpecial)], 2, 77);
  int nans = 0;
  for (uint64_t i = 0; i < 4096; ++i) {
    double value = kclDecode(kclDraw(params, i), KclF32);
    nans += std::isnan(value);
    others += std::isinf(value) || value == 0;
  }
  EXPECT_EQ(nans, 1);
  EXPECT_EQ(others, 0);
}

TEST(Draw, NothingIsPlantedInWeightsOrNarrowDomains) {
  TensorSpec weights, variance, indices;
  weights.role = Role::Param;
  variance.domain.kind = Domain::Kind::NonNegative;
  indices.dtype = DType::i64;
  for (const TensorSpec &spec : {weights, variance, indices}) {
    EXPECT_FALSE(takesSpecials(spec));
    for (uint64_t i = 0; i < 4096; ++i)
      ASSERT_TRUE(std::isfinite(drawn(spec, indexOf(KclSpecial), 0, i)));
  }
}

TEST(Perturb, MovesEachElementALittleInOppositeDirections) {
  for (DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    TensorSpec spec;
    spec.dtype = dtype;
    KclGenerate params = generateParams(spec, 4096, 64, distributions[0], 0, 9);
    KclGenerate up = params, down = params;
    up.perturb = 4;
    down.perturb = 5;
    up.epsilon = down.epsilon = 1e-6;
    int ups = 0;
    for (uint64_t i = 0; i < 4096; ++i) {
      int t = params.type;
      double value = kclDecode(kclDraw(params, i), t);
      if (std::abs(value) < 0x1p-12) // denormals of f16 have large steps
        continue;
      double a = kclDecode(kclDraw(up, i), t) - value;
      double b = kclDecode(kclDraw(down, i), t) - value;
      ASSERT_LT(a * b, 0) << value;
      ASSERT_LE(std::abs(a),
                std::abs(value) * std::max(2e-6, 4 * unitRoundoff(dtype)));
      ups += a > 0;
    }
    EXPECT_NEAR(ups, 2048, 200);
  }
}

TEST(Perturb, StaysInItsDomain) {
  TensorSpec unit;
  unit.domain.kind = Domain::Kind::Unit;
  KclGenerate params = generateParams(unit, 4096, 64, distributions[3], 0, 9);
  params.perturb = 2;
  params.epsilon = 1e-2;
  for (uint64_t i = 0; i < 4096; ++i) {
    double value = kclDecode(kclDraw(params, i), KclF32);
    ASSERT_TRUE(value >= 0 && value <= 1) << value;
  }
}
