//===- ReduceTest.cpp - Reductions of asynchronous copies -----------------===//
#include "SimCuda/Isa/Reduce.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace kclaw::sim;

namespace {

/// memory op operand, for two elements.
template <class T>
std::vector<T> reduced(std::string_view op, Type type, std::vector<T> memory,
                       std::vector<T> operand) {
  Reduction reduction = findReduction(op, type);
  EXPECT_NE(reduction, nullptr) << op;
  if (reduction)
    reduction(reinterpret_cast<std::byte *>(memory.data()),
              reinterpret_cast<const std::byte *>(operand.data()),
              memory.size() * sizeof(T));
  return memory;
}

TEST(Reduce, Integers) {
  using U = std::vector<uint32_t>;
  using S = std::vector<int64_t>;
  auto u32 = [](std::string_view op, U memory, U operand) {
    return reduced(op, Type::U32, memory, operand);
  };
  EXPECT_EQ(u32("add", {1, ~0u}, {2, 3}), (U{3, 2}));
  EXPECT_EQ(u32("min", {1, ~0u}, {2, 3}), (U{1, 3}));
  EXPECT_EQ(u32("max", {1, ~0u}, {2, 3}), (U{2, ~0u}));
  EXPECT_EQ(u32("inc", {4, 5}, {5, 5}), (U{5, 0}));
  EXPECT_EQ(u32("dec", {0, 5}, {9, 9}), (U{9, 4}));
  EXPECT_EQ(u32("dec", {10, 9}, {9, 9}), (U{9, 8}));
  EXPECT_EQ(u32("and", {12, 1}, {10, 3}), (U{8, 1}));
  EXPECT_EQ(u32("or", {12, 1}, {10, 2}), (U{14, 3}));
  EXPECT_EQ(u32("xor", {12, 1}, {10, 1}), (U{6, 0}));
  EXPECT_EQ(reduced("min", Type::S64, S{-5, 7}, S{3, -9}), (S{-5, -9}));
  EXPECT_EQ(reduced("max", Type::S64, S{-5, 7}, S{3, -9}), (S{3, 7}));
  EXPECT_EQ(reduced("add", Type::S64, S{-5, INT64_MAX}, S{3, 1}),
            (S{-2, INT64_MIN}));
}

TEST(Reduce, Floats) {
  using H = std::vector<uint16_t>;
  EXPECT_EQ(reduced("add", Type::F32, std::vector{1.5f, 1e-40f},
                    std::vector{2.0f, 1e-40f}),
            (std::vector{3.5f, 1e-40f + 1e-40f}));
  EXPECT_EQ(
      reduced("add", Type::F64, std::vector{1.5, 2.0}, std::vector{2.0, -7.0}),
      (std::vector{3.5, -5.0}));
  EXPECT_EQ(reduced("add", Type::F16, H{0x3c00, 0x3c01}, H{0x1000, 0x1000}),
            (H{0x3c00, 0x3c02})); // ties to even
  EXPECT_EQ(reduced("min", Type::F16, H{0x3c00, 0xbc00}, H{0x4000, 0xc000}),
            (H{0x3c00, 0xc000}));
  EXPECT_EQ(reduced("max", Type::BF16, H{0x3f80, 0xbf80}, H{0x4000, 0xc000}),
            (H{0x4000, 0xbf80}));
  EXPECT_EQ(reduced("add", Type::BF16, H{0x3f80, 0x7f80}, H{0x3f80, 0xff80}),
            (H{0x4000, 0x7fff}));
}

TEST(Reduce, WhatPtxHasNot) {
  EXPECT_EQ(findReduction("min", Type::F32), nullptr);
  EXPECT_EQ(findReduction("and", Type::F16), nullptr);
  EXPECT_EQ(findReduction("mul", Type::U32), nullptr);
}

} // namespace
