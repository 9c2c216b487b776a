//===- ExpectTest.cpp - The rule of --expect ------------------------------===//
#include "Expect.h"
#include "kernelclaw/Device/ModuleCheck.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace kclaw;

template <typename T>
static Array array(DType dtype, const std::vector<T> &values) {
  Array result{dtype, {static_cast<int64_t>(values.size())}, {}};
  result.bytes.resize(values.size() * sizeof(T));
  std::memcpy(result.bytes.data(), values.data(), result.bytes.size());
  return result;
}
static Array f32(const std::vector<float> &values) {
  return array(DType::f32, values);
}
static Array f64(const std::vector<double> &values) {
  return array(DType::f64, values);
}

TEST(Expect, WithEagerFourTimesItsError) {
  Array expected = f64({1.0, 2.0}), eager = f32({1.0f, 2.001f});
  // 4 * 1e-3 + 1e-6 * 2
  EXPECT_TRUE(compare(f32({1.0f, 2.0039f}), expected, &eager, RunPolicy::Strict)
                  .passed);
  EXPECT_FALSE(
      compare(f32({1.0f, 2.0042f}), expected, &eager, RunPolicy::Strict)
          .passed);
}

TEST(Expect, WithoutEagerRelativeToTheLargest) {
  Array expected = f64({0.0, 100.0});
  EXPECT_TRUE(
      compare(f32({9e-4f, 100.0f}), expected, nullptr, RunPolicy::Strict)
          .passed);
  EXPECT_FALSE(
      compare(f32({1.1e-3f, 100.0f}), expected, nullptr, RunPolicy::Strict)
          .passed);
}

TEST(Expect, PoliciesAddTheirShare) {
  Array expected = f64({0.0, 100.0}), got = f32({0.5f, 100.0f});
  EXPECT_FALSE(compare(got, expected, nullptr, RunPolicy::Tf32).passed);
  EXPECT_TRUE(compare(got, expected, nullptr, RunPolicy::Loose).passed);
}

TEST(Expect, TorchAllowsWhatAJudgedConvolutionInTf32May) {
  EXPECT_EQ(tf32Bound(), 256 * 0x1p-16); // ErrorBudget.cpp: c u of TF32
  Array expected = f64({0.0, 100.0}), got = f32({0.38f, 100.0f});
  EXPECT_TRUE(compare(got, expected, nullptr, RunPolicy::Torch).passed);
  EXPECT_FALSE(compare(got, expected, nullptr, RunPolicy::Strict).passed);
}

TEST(Expect, NanAndInfinityMustMatch) {
  Array expected = f64({NAN, HUGE_VAL, 1.0});
  float inf = HUGE_VALF;
  EXPECT_TRUE(
      compare(f32({NAN, inf, 1}), expected, nullptr, RunPolicy::Strict).passed);
  EXPECT_FALSE(
      compare(f32({1, inf, 1}), expected, nullptr, RunPolicy::Strict).passed);
  EXPECT_FALSE(
      compare(f32({NAN, -inf, 1}), expected, nullptr, RunPolicy::Strict)
          .passed);
  EXPECT_FALSE(
      compare(f32({NAN, inf, NAN}), expected, nullptr, RunPolicy::Strict)
          .passed);
}

TEST(Expect, IntegersAreExact) {
  Array expected = array<int64_t>(DType::i64, {1, (1ll << 60) + 1});
  Array other = array<int64_t>(DType::i64, {1, 1ll << 60});
  EXPECT_TRUE(compare(expected, expected, nullptr, RunPolicy::Loose).passed);
  ArrayComparison wrong = compare(other, expected, nullptr, RunPolicy::Loose);
  EXPECT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.reason, "[1] is 1152921504606846976, 1152921504606846977 "
                          "expected");
}

TEST(Expect, ShapesMustMatch) {
  ArrayComparison wrong =
      compare(f32({1}), f64({1, 2}), nullptr, RunPolicy::Strict);
  EXPECT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.reason, "is f32[1], f64[2] expected");
}
