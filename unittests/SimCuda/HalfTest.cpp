//===- HalfTest.cpp - f16 and bf16 arithmetic -----------------------------===//
#include "Apply.h"

using namespace kclaw::sim;

namespace {

uint64_t half(const std::string &form, Words in) {
  std::string text = form + " %h0";
  for (size_t k = 1; k <= in.size(); ++k)
    text += ", %h" + std::to_string(k);
  return apply1(text + ";", 'h', in);
}
uint64_t pair(const std::string &form, Words in) {
  std::string text = form + " %r0";
  for (size_t k = 1; k <= in.size(); ++k)
    text += ", %r" + std::to_string(k);
  return apply1(text + ";", 'r', in);
}

TEST(Half, RoundsOnce) {
  EXPECT_EQ(half("add.f16", {0x3c00, 0x1000}), 0x3c00u); // tie to even
  EXPECT_EQ(half("add.rn.f16", {0x3c01, 0x1000}), 0x3c02u);
  // (1 + 3 ulp)^2 - 1 needs more than f16's bits of the product.
  EXPECT_EQ(half("fma.rn.f16", {0x3c03, 0x3c03, 0xbc00}), 0x1e02u);
  EXPECT_EQ(half("mul.f16", {0x7bff, 0x7bff}), 0x7c00u);
  EXPECT_EQ(half("mul.f16", {0x0001, 0x3800}), 0u); // half of the least
  EXPECT_EQ(half("mul.f16", {0x0003, 0x3800}), 2u);
  // bf16: a tie that a far smaller addend breaks.
  EXPECT_EQ(half("fma.rn.bf16", {0x3f81, 0x3f81, 0x0080}),
            half("fma.rn.bf16", {0x3f81, 0x3f81, 0}));
  EXPECT_EQ(half("fma.rn.bf16", {0x3f88, 0x3f88, 0x0080}), 0x3f91u);
  EXPECT_EQ(half("fma.rn.bf16", {0x3f88, 0x3f88, 0x8080}), 0x3f90u);
  EXPECT_EQ(half("fma.rn.bf16", {0x3f88, 0x3f88, 0}), 0x3f90u);
}

TEST(Half, ClampsAndNan) {
  EXPECT_EQ(half("add.f16", {0x7c00, 0xfc00}), 0x7fffu);
  EXPECT_EQ(half("add.sat.f16", {0x7e00, 0}), 0u);
  EXPECT_EQ(half("add.sat.f16", {0x4000, 0}), 0x3c00u);
  EXPECT_EQ(half("add.ftz.f16", {1, 1}), 0u);
  EXPECT_EQ(half("fma.rn.relu.f16", {0xbc00, 0x3c00, 0}), 0u);
  EXPECT_EQ(half("fma.rn.relu.bf16", {0x7fc0, 0x3f80, 0}), 0x7fffu);
  EXPECT_EQ(half("min.f16", {0x7e00, 0x3c00}), 0x3c00u);
  EXPECT_EQ(half("min.NaN.bf16", {0x7fc0, 0x3f80}), 0x7fffu);
  EXPECT_EQ(half("max.f16", {0x8000, 0}), 0u);
  EXPECT_EQ(half("min.f16", {0, 0x8000}), 0x8000u);
  EXPECT_EQ(half("min.bf16", {0xbf80, 0xc000}), 0xc000u);
  EXPECT_EQ(half("neg.f16", {0x3c00}), 0xbc00u);
  EXPECT_EQ(half("abs.bf16", {0xbf80}), 0x3f80u);
}

TEST(Half, Pairs) {
  EXPECT_EQ(pair("fma.rn.f16x2", {0x3c004000, 0x40004000, 0x00003c00}),
            0x40004500u);
  EXPECT_EQ(pair("add.bf16x2", {0x3f803f80, 0x3f804000}), 0x40004040u);
  EXPECT_EQ(pair("max.xorsign.abs.f16x2", {0xbc003c00, 0x40004000}),
            0xc0004000u);
  EXPECT_EQ(pair("ex2.approx.f16x2", {0x40003c00}), 0x44004000u);
  EXPECT_EQ(pair("tanh.approx.bf16x2", {0x7f800000}), 0x3f800000u);
}

} // namespace
