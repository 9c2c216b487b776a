//===- NumberTrapsTest.cpp - Traps about numbers, by their names ----------===//
//
// Results that others took for right or wrong by mistake, against the rules:
// no device, the judge's own comparison on host arrays.
//
//===----------------------------------------------------------------------===//
#include "HostComparison.h"
#include "Rules/Redraw.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace kclaw;

constexpr double nan_ = NAN;
constexpr double inf = INFINITY;

static std::string floats(std::vector<double> got, std::vector<double> want,
                          DType type = DType::f32) {
  return HostComparison(type, std::move(got), std::move(want))
      .rule(ResultKind::Float);
}

TEST(PT01, AFiniteF16ResultIsRefusedWhereTheCastOverflows) {
  // to.f16, mul, to.f32 of 5000: the reference rounds at the casts.
  EXPECT_EQ(floats({25e6, 1}, {inf, 1}), "infinity-lost");
  EXPECT_EQ(floats({inf, 1}, {inf, 1}), "");
}

TEST(PT01, WhereOnlyStockSaturatesEitherIsRightAndCounted) {
  // Zero variance in f16: eager gives NaN, f64 gives 0.
  std::vector<double> want = {0, 0, 1, 2};
  for (double answer : {0.0, nan_}) {
    HostComparison compared(DType::f16, {answer, answer, 1, 2}, want);
    compared.withStock({nan_, nan_, 1, 2});
    EXPECT_EQ(compared.rule(ResultKind::Float), "") << answer;
    EXPECT_EQ(compared.run().saturated, std::isnan(answer) ? 2u : 0u);
    EXPECT_EQ(compared.run().stockNonFinite, 2u); // never silent
  }
  EXPECT_EQ(HostComparison(DType::f16, {5, 5, 1, 2}, want)
                .withStock({nan_, nan_, 1, 2})
                .rule(ResultKind::Float),
            "budget");
}

TEST(PT01, AtTheOverflowRoundingDecides) {
  // 65519.99 is 65504 in f16, one unit of f32 more is infinite.
  EXPECT_EQ(floats({65504, 1}, {65520.001, 1}, DType::f16), "");
  EXPECT_EQ(floats({inf, 1}, {65519.999, 1}, DType::f16), "");
  EXPECT_EQ(floats({65504, 1}, {70000, 1}, DType::f16), "infinity-lost");
  EXPECT_EQ(floats({inf, 1}, {60000, 1}, DType::f16), "spurious-non-finite");
}

TEST(PT05, FmaxfForReluIsRefusedByItsOwnRule) {
  std::vector<double> x = {-3, nan_, -1, 0, 1, 2, nan_};
  std::vector<double> want, fmaxed;
  for (double each : x) {
    want.push_back(std::isnan(each) || each > 0 ? each : 0);
    fmaxed.push_back(std::fmax(each, 0));
  }
  EXPECT_EQ(floats(want, want, DType::f16), "");
  EXPECT_EQ(floats(fmaxed, want, DType::f16), "nan-lost");
}

TEST(PT05, InfinitiesKeepTheirSignAndNothingElseBecomesOne) {
  EXPECT_EQ(floats({inf, 1}, {-inf, 1}), "infinity-lost");
  EXPECT_EQ(floats({nan_, 1}, {-inf, 1}), "infinity-lost");
  EXPECT_EQ(floats({nan_, 1}, {2, 1}), "spurious-non-finite");
  EXPECT_EQ(floats({0.0, 1}, {-0.0, 1}), ""); // the sign may differ
}

TEST(PT05, InProductsASplitOperandMayTurnInfinityIntoNaN) {
  auto rule = [](double got, double want) {
    return HostComparison(DType::f32, {got, 1}, {want, 1})
        .inProducts()
        .rule(ResultKind::Float);
  };
  EXPECT_EQ(rule(nan_, inf), "");
  EXPECT_EQ(rule(inf, nan_), "nan-lost");
  EXPECT_EQ(rule(7, inf), "infinity-lost");
}

TEST(PT05, WhereStockLosesANaNNothingIsAsked) {
  HostComparison compared(DType::f32, {3, 1}, {nan_, 1});
  EXPECT_EQ(compared.withStock({0, 1}).rule(ResultKind::Float), "");
  EXPECT_EQ(compared.run().stockDiffers, 1u);
}

/// argmax over one row.
static std::string argmax(const std::vector<double> &row, double got,
                          double want) {
  return HostComparison(DType::i64, {got}, {want})
      .selectingFrom(row, row.size(), 1)
      .rule(ResultKind::Index);
}

TEST(PT08, AnIndexIsJudgedByTheValueItSelects) {
  EXPECT_EQ(argmax({3, nan_, 1, 5}, 1, 1), "");
  EXPECT_EQ(argmax({3, nan_, 1, 5}, 3, 1), "selected-value"); // skips the NaN
  EXPECT_EQ(argmax({nan_, 1, nan_}, 2, 0), "");               // another NaN
  EXPECT_EQ(argmax({1, 3, 3, 1}, 2, 1), "");                  // a tie
  EXPECT_EQ(argmax({1, 3, 3, 1}, 0, 1), "selected-value");
  EXPECT_EQ(argmax({inf, nan_, -inf}, 0, 1), "selected-value");
  EXPECT_EQ(argmax({1, 3, 3, 1}, 4, 1), "selected-value") << "out of range";
  EXPECT_EQ(argmax({1, 3, 3, 1}, -1, 1), "not-written");
}

TEST(PT08, ManyRowsAndInnerDimensions) {
  // [2, 3, 2], over the middle: the columns are strided.
  std::vector<double> values = {1, 9, 5, 9, 2, 0, 7, 3, 7, 3, 1, 3};
  auto rule = [&](std::vector<double> got) {
    return HostComparison(DType::i64, std::move(got), {1, 0, 0, 0})
        .selectingFrom(values, 3, 1, false, 2)
        .rule(ResultKind::Index);
  };
  EXPECT_EQ(rule({1, 1, 1, 2}), "");
  EXPECT_EQ(rule({0, 1, 1, 2}), "selected-value");
  EXPECT_EQ(rule({1, 2, 1, 2}), "selected-value");
}

TEST(PT08, TiesOfTopkMayComeInAnyOrderButOnce) {
  std::vector<double> row = {4, 4, 4, 1};
  auto rule = [&](std::vector<double> got) {
    return HostComparison(DType::i64, std::move(got), {0, 1, 2})
        .selectingFrom(row, 4, 3, /*distinct=*/true)
        .rule(ResultKind::Index);
  };
  EXPECT_EQ(rule({2, 0, 1}), "");
  EXPECT_EQ(rule({2, 2, 1}), "repeated-index");
  EXPECT_EQ(rule({0, 1, 1}), "repeated-index");
  EXPECT_EQ(rule({0, 1, 3}), "selected-value");
}

TEST(PT09, Int64IsComparedInAllItsBits) {
  auto rule = [](double got) {
    return HostComparison(DType::i64, {0, got}, {0, 10000000000.0})
        .rule(ResultKind::Exact);
  };
  EXPECT_EQ(rule(10000000000.0), "");
  EXPECT_EQ(rule(1410065408.0), "exact-value"); // the low 32 bits
  // Doubles cannot tell these two apart.
  HostComparison compared(DType::i64, {0}, {0x1p60});
  compared.gotBytes() = encode(DType::i64, {0x1p60});
  compared.gotBytes()[0] |= 1;
  EXPECT_EQ(compared.rule(ResultKind::Exact), "exact-value");
}

TEST(PT09, DrawingAndPositionsGoBeyond32Bits) {
  TensorSpec spec;
  spec.dtype = DType::bf16;
  KclGenerate params =
      generateParams(spec, 2147516416u, 32768, distributions[0], 0, 99);
  uint64_t last = params.count - 1;
  EXPECT_NE(kclDraw(params, last), kclDraw(params, last & 0x7fffffff));
  EXPECT_EQ(position({65537, 32768}, int64_t(last)), "[65536, 32767]");
}

/// layer_norm of 4 rows of 32768 values 100 + 0.01 normal, in f64.
namespace {
struct Norm {
  std::vector<float> x;
  std::vector<double> want;
};
} // namespace

static Norm narrowRows(double deviation) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(100, deviation);
  Norm norm;
  for (int row = 0; row < 4; ++row) {
    double sum = 0, sum2 = 0;
    size_t start = norm.x.size();
    for (int i = 0; i < 32768; ++i)
      sum += norm.x.emplace_back(static_cast<float>(normal(random)));
    for (int i = 0; i < 32768; ++i)
      sum2 += std::pow(norm.x[start + i] - sum / 32768, 2);
    for (int i = 0; i < 32768; ++i)
      norm.want.push_back((norm.x[start + i] - sum / 32768) /
                          std::sqrt(sum2 / 32768 + 1e-5));
  }
  return norm;
}

/// In f32 with blockwise sums, as a kernel of 256 threads a row has them.
static std::vector<double> layerNorm(const Norm &norm, bool onePass) {
  auto blockSum = [](auto term) {
    std::vector<float> part(256);
    for (int i = 0; i < 32768; ++i)
      part[i % 256] += term(i);
    for (int half = 128; half; half /= 2)
      for (int i = 0; i < half; ++i)
        part[i] += part[i + half];
    return part[0] / 32768;
  };
  std::vector<double> out;
  for (int row = 0; row < 4; ++row) {
    const float *x = &norm.x[row * 32768];
    float mean = blockSum([&](int i) { return x[i]; });
    float variance =
        onePass
            ? blockSum([&](int i) { return x[i] * x[i]; }) - mean * mean
            : blockSum([&](int i) { return (x[i] - mean) * (x[i] - mean); });
    for (int i = 0; i < 32768; ++i)
      out.push_back((x[i] - mean) /
                    std::sqrt(std::max(variance, 0.0f) + 1e-5f));
  }
  return out;
}

TEST(PT14, OnePassVarianceFailsOnTheOffsetDataTwoPassesPass) {
  KernelSpec spec;
  spec.family = "norm";
  double bound = familyBudget(spec, DType::f32, "offset");
  Norm norm = narrowRows(1);
  auto rule = [&](bool onePass) {
    return HostComparison(DType::f32, layerNorm(norm, onePass), norm.want,
                          32768)
        .withBound(bound)
        .rule(ResultKind::Float);
  };
  EXPECT_EQ(rule(false), "");
  EXPECT_EQ(rule(true), "budget");
}

TEST(PT14, OfADeviationOfAHundredthTheOnePassKernelIsRefusedByAnyBound) {
  Norm norm = narrowRows(0.01);
  auto error = [&](bool onePass) {
    return HostComparison(DType::f32, layerNorm(norm, onePass), norm.want,
                          32768)
        .run()
        .error();
  };
  EXPECT_LT(error(false), 1e-3); // torch on the CPU: 4.3e-4
  EXPECT_GT(error(true), uselessBound);
}

TEST(PT14, NoiseOnAResultOfZerosIsNotJudged) {
  // batch_norm of ones, group_norm: 0 in f64, 3.6e-6 in f32.
  HostComparison stock(DType::f32, std::vector<double>(600, 3.6e-6),
                       std::vector<double>(600, 0.0));
  Comparison found = stock.run();
  for (bool mildest : {false, true}) {
    DataCase data{found};
    data.mildest = mildest;
    EXPECT_EQ(Redraw::reasonOfAll({&data, 1}), Redraw::zero);
  }
}

TEST(PT14, NearTheFloatLimitEitherAnswerIsRight) {
  // layer_norm [1e30, -1e30, 2e30, 0]: f32 overflows, f64 does not.
  std::vector<double> want = {.447, -1.342, 1.342, -.447};
  std::vector<double> lost(4, nan_);
  for (const std::vector<double> &got : {want, lost}) {
    HostComparison compared(DType::f32, got, want);
    EXPECT_EQ(compared.withStock(lost).rule(ResultKind::Float), "");
    EXPECT_EQ(compared.run().stockNonFinite, 4u);
  }
}

TEST(KB08, ATailThatIsLeftOutIsNotWritten) {
  // relu on f32[1023] by float4: 255 packets, three elements stay poison.
  std::vector<double> want(1023, 0.5);
  HostComparison compared(DType::f32, want, want);
  std::fill(compared.gotBytes().end() - 12, compared.gotBytes().end(), 0xff);
  EXPECT_EQ(compared.rule(ResultKind::Float), "not-written");
  EXPECT_EQ(compared.run().unwritten, 3u);
}

TEST(TM08, SumsInHalfPrecisionStallAndFail) {
  // Ones summed in f16 stop at 2048.
  EXPECT_EQ(floats({2048}, {4096}, DType::f16), "budget");
  EXPECT_EQ(floats({256}, {1000}, DType::bf16), "budget");
}
