//===- FloatTest.cpp - f32, f64, f32x2 and the special functions ----------===//
#include "Apply.h"

#include <cmath>
#include <limits>

using namespace kclaw::sim;

namespace {

constexpr uint32_t nan32 = 0x7fffffff, inf32 = 0x7f800000;

uint32_t f32(const std::string &form, Words in) {
  std::string text = form + " %f0";
  for (size_t k = 1; k <= in.size(); ++k)
    text += ", %f" + std::to_string(k);
  return uint32_t(apply1(text + ";", 'f', in));
}
uint64_t f64(const std::string &form, std::vector<double> values) {
  std::string text = form + " %g0";
  Words in;
  for (double value : values) {
    in.push_back(word(value));
    text += ", %g" + std::to_string(in.size());
  }
  return apply1(text + ";", 'g', in);
}

TEST(Float, DirectedRounding) {
  uint32_t one = word(1.0f), tiny = word(0x1p-40f), third = word(3.0f);
  EXPECT_EQ(f32("add.rn.f32", {one, tiny}), one);
  EXPECT_EQ(f32("add.rz.f32", {one, tiny}), one);
  EXPECT_EQ(f32("add.rm.f32", {one, tiny}), one);
  EXPECT_EQ(f32("add.rp.f32", {one, tiny}), one + 1);
  EXPECT_EQ(f32("sub.rz.f32", {one, tiny}), one - 1);
  EXPECT_EQ(f32("div.rz.f32", {one, third}), 0x3eaaaaaau);
  EXPECT_EQ(f32("div.rn.f32", {one, third}), 0x3eaaaaabu);
  EXPECT_EQ(f32("rcp.rp.f32", {third}), 0x3eaaaaabu);
  EXPECT_EQ(f32("sqrt.rm.f32", {word(2.0f)}), 0x3fb504f3u);
  EXPECT_EQ(f32("sqrt.rp.f32", {word(2.0f)}), 0x3fb504f4u);
  EXPECT_EQ(f32("mul.rp.f32", {word(-1.0f), 1}), 0x80000001u);
  EXPECT_EQ(f32("mul.rz.f32", {word(3e38f), word(3e38f)}), inf32 - 1);
  EXPECT_EQ(f64("add.rp.f64", {1.0, 1e-300}), word(1.0) + 1);
  EXPECT_EQ(f64("fma.rm.f64", {-1.0, 1.0, -1e-300}), word(-1.0) + 1);
  // The mode does not outlive the instruction.
  EXPECT_EQ(apply1("add.rp.f32 %f3, %f1, %f2;\nadd.f32 %f0, %f1, %f2;", 'f',
                   {one, tiny}),
            one);
}

TEST(Float, FmaRoundsOnce) {
  float a = 1.0f + 0x1p-12f;
  uint32_t got = f32("fma.rn.f32", {word(a), word(a), word(-1.0f)});
  EXPECT_EQ(got, word(std::fma(a, a, -1.0f)));
  EXPECT_NE(got, word(float(a * a) - 1.0f));
  EXPECT_EQ(f32("mad.rn.f32", {word(a), word(a), word(-1.0f)}), got);
}

TEST(Float, NanFlushSaturate) {
  EXPECT_EQ(f32("add.f32", {inf32, inf32 | 0x80000000}), nan32);
  EXPECT_EQ(f32("mul.f32", {0xffc12345, 0}), nan32);
  EXPECT_EQ(f32("neg.f32", {0x7fc12345}), nan32);
  EXPECT_EQ(f32("add.sat.f32", {nan32, 0}), 0u);
  EXPECT_EQ(f32("add.sat.f32", {word(3.0f), 0}), word(1.0f));
  EXPECT_EQ(f32("fma.rn.sat.f32", {word(-3.0f), word(1.0f), 0}), 0u);
  EXPECT_EQ(f32("add.f32", {1, 1}), 2u);
  EXPECT_EQ(f32("add.ftz.f32", {1, word(0.0f)}), 0u);
  EXPECT_EQ(f32("mul.ftz.f32", {0x80800000, word(0.5f)}), 0x80000000u);
  EXPECT_EQ(f32("abs.ftz.f32", {0x80000001}), 0u);
  EXPECT_EQ(apply1("add.f64 %g0, %g1, %g2;", 'g',
                   {word(INFINITY * 1.0), word(-INFINITY * 1.0)}),
            0xfff8000000000000u);
}

TEST(Float, MinMax) {
  uint32_t one = word(1.0f), minus = word(-2.0f), zero = 0x80000000;
  EXPECT_EQ(f32("min.f32", {nan32, one}), one);
  EXPECT_EQ(f32("max.f32", {one, nan32}), one);
  EXPECT_EQ(f32("min.f32", {0x7f812345, 0xffffffff}), nan32);
  EXPECT_EQ(f32("min.NaN.f32", {nan32, one}), nan32);
  EXPECT_EQ(f32("min.f32", {0, zero}), zero);
  EXPECT_EQ(f32("max.f32", {zero, 0}), 0u);
  EXPECT_EQ(f32("min.xorsign.abs.f32", {minus, one}), word(-1.0f));
  EXPECT_EQ(f32("max.NaN.xorsign.abs.f32", {minus, minus}), word(2.0f));
  EXPECT_EQ(f64("min.f64", {NAN, 1.0}), word(1.0));
  EXPECT_EQ(f64("max.f64", {-0.0, 0.0}), word(0.0));
}

TEST(Float, PairsOfFloats) {
  uint64_t a = uint64_t(word(1.0f)) << 32 | word(2.0f);
  EXPECT_EQ(apply1("fma.rn.f32x2 %l0, %l1, %l1, %l1;", 'l', {a}),
            uint64_t(word(2.0f)) << 32 | word(6.0f));
  EXPECT_EQ(apply1("add.rn.ftz.f32x2 %l0, %l1, %l1;", 'l', {1ull << 32 | 1}),
            0u);
}

TEST(Float, Quotients) {
  EXPECT_NEAR(
      std::bit_cast<float>(f32("div.full.f32", {word(1.0f), word(3e38f)})),
      1 / 3e38, 1e-44);
  EXPECT_EQ(f32("div.approx.f32", {word(1.0f), word(3e38f)}), 0u);
  EXPECT_EQ(f32("div.approx.f32", {inf32, word(3e38f)}), nan32);
  EXPECT_EQ(f32("div.full.f32", {word(1.0f), 0}), inf32);
}

double relative(uint32_t got, double want) {
  return std::fabs(std::bit_cast<float>(got) / want - 1);
}

TEST(Special, StaysWithinTheBounds) {
  Words in;
  for (int k = 0; k < 1000; ++k)
    in.push_back(word(float(0.001 + 0.0073 * k)));
  struct Row {
    const char *text;
    double (*want)(double);
    double bound;
  };
  const Row rows[] = {
      {"rcp.approx.f32 %f0, %f1;", [](double x) { return 1 / x; }, 0x1p-23},
      {"sqrt.approx.f32 %f0, %f1;", [](double x) { return std::sqrt(x); },
       0x1p-23},
      {"rsqrt.approx.ftz.f32 %f0, %f1;",
       [](double x) { return 1 / std::sqrt(x); }, 0x1p-22},
      {"ex2.approx.ftz.f32 %f0, %f1;", [](double x) { return std::exp2(x); },
       0x1p-22},
      {"tanh.approx.f32 %f0, %f1;", [](double x) { return std::tanh(x); },
       0x1p-11}};
  for (const Row &row : rows) {
    Words out = apply(row.text, 'f', {in});
    for (size_t k = 0; k < in.size(); ++k)
      ASSERT_LE(relative(uint32_t(out[k]),
                         row.want(std::bit_cast<float>(uint32_t(in[k])))),
                row.bound)
          << row.text << " of " << std::bit_cast<float>(uint32_t(in[k]));
  }
  for (auto [text, want] : {std::pair<const char *, double (*)(double)>{
                                "sin.approx.f32 %f0, %f1;", std::sin},
                            {"cos.approx.f32 %f0, %f1;", std::cos},
                            {"lg2.approx.f32 %f0, %f1;", std::log2}}) {
    Words out = apply(text, 'f', {in});
    for (size_t k = 0; k < 430; ++k) // up to pi
      ASSERT_NEAR(std::bit_cast<float>(uint32_t(out[k])),
                  want(std::bit_cast<float>(uint32_t(in[k]))), 0x1p-20)
          << text;
  }
}

TEST(Special, SpecialValues) {
  EXPECT_EQ(f32("rcp.approx.ftz.f32", {1}), inf32);
  EXPECT_EQ(f32("rcp.approx.ftz.f32", {inf32 | 0x80000000}), 0x80000000u);
  EXPECT_EQ(f32("sqrt.approx.f32", {word(-1.0f)}), nan32);
  EXPECT_EQ(f32("sqrt.rn.f32", {0x80000000}), 0x80000000u);
  EXPECT_EQ(f32("rsqrt.approx.f32", {0x80000000}), 0xff800000u);
  EXPECT_EQ(f32("lg2.approx.f32", {0}), 0xff800000u);
  EXPECT_EQ(f32("lg2.approx.f32", {word(-1.0f)}), nan32);
  EXPECT_EQ(f32("ex2.approx.f32", {0xff800000}), 0u);
  EXPECT_EQ(f32("ex2.approx.f32", {inf32}), inf32);
  EXPECT_EQ(f32("ex2.approx.f32", {nan32}), nan32);
  EXPECT_EQ(f32("ex2.approx.f32", {word(-140.0f)}), 1u << 9);
  EXPECT_EQ(f32("ex2.approx.ftz.f32", {word(-140.0f)}), 0u);
  EXPECT_EQ(f32("ex2.approx.f32", {word(5.0f)}), word(32.0f));
  EXPECT_EQ(f32("ex2.approx.f32.ftz", {word(-140.0f)}), 0u);
  EXPECT_EQ(f32("sin.approx.f32", {inf32}), nan32);
  EXPECT_EQ(f32("cos.approx.f32", {0}), word(1.0f));
  EXPECT_EQ(f32("tanh.approx.f32", {inf32}), word(1.0f));
}

// PX-05: only the upper word counts, and it alone is written.
TEST(Special, ReciprocalSquareRootOfTheUpperWord) {
  EXPECT_EQ(apply1("rsqrt.approx.ftz.f64 %g0, %g1;", 'g', {word(1.0) | 1}),
            word(1.0));
  EXPECT_EQ(apply1("rsqrt.approx.ftz.f64 %g0, %g1;", 'g', {1}),
            word(double(INFINITY)));
  EXPECT_EQ(apply1("rcp.approx.ftz.f64 %g0, %g1;", 'g', {word(3.0)}) &
                0xffffffff,
            0u);
}

} // namespace
