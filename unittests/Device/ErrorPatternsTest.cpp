//===- ErrorPatternsTest.cpp - Where wrong elements cluster ---------------===//
#include "Explain/ErrorPatterns.h"

#include <gtest/gtest.h>

#include <functional>

using namespace kclaw;

static std::vector<ErrorPattern>
patternsOf(std::vector<int64_t> shape,
           const std::function<bool(int64_t)> &isWrong,
           std::vector<LaunchShape> launches = {}) {
  ErrorMap map;
  map.count = 1;
  for (int64_t size : shape)
    map.count *= size;
  map.shape = std::move(shape);
  map.launches = std::move(launches);
  for (int64_t i = 0; i < map.count; ++i)
    if (isWrong(i))
      map.indices.push_back(i);
  return findPatterns(map);
}

static std::string text(const std::vector<ErrorPattern> &patterns) {
  std::string all;
  for (const ErrorPattern &pattern : patterns)
    all += pattern.name + ": " + pattern.text + "\n";
  return all;
}

TEST(ErrorPatterns, NothingWrongIsNoPattern) {
  EXPECT_EQ(text(patternsOf({8, 8}, [](int64_t) { return false; })), "");
}

TEST(ErrorPatterns, All) {
  EXPECT_EQ(text(patternsOf({8, 8}, [](int64_t) { return true; })),
            "all: every element is wrong\n");
  EXPECT_EQ(text(patternsOf({100}, [](int64_t i) { return i != 7; })),
            "all: nearly every element is wrong (99 of 100)\n");
}

TEST(ErrorPatterns, OneElement) {
  EXPECT_EQ(text(patternsOf({4, 8}, [](int64_t i) { return i == 19; })),
            "single: one element, 19 [2, 3]\n");
  EXPECT_EQ(text(patternsOf({4, 8}, [](int64_t i) { return i == 31; })),
            "tail: one element, 31 [3, 7], the last one\n");
}

TEST(ErrorPatterns, TailOfTheWholeTensor) {
  EXPECT_EQ(text(patternsOf({1000}, [](int64_t i) { return i >= 768; })),
            "tail: the last 232 elements, from 768 on (768 = 3 x 256 are "
            "right)\n");
}

TEST(ErrorPatterns, RangeAndHead) {
  EXPECT_EQ(
      text(patternsOf({1000}, [](int64_t i) { return i >= 10 && i < 20; })),
      "range: one contiguous range of 10 elements, from 10 to 19\n");
  EXPECT_EQ(text(patternsOf({1000}, [](int64_t i) { return i < 20; })),
            "head: the first 20 elements, up to 19\n");
}

TEST(ErrorPatterns, EveryNth) {
  EXPECT_EQ(text(patternsOf({1000}, [](int64_t i) { return i % 4 == 3; })),
            "stride: every 4-th element, from 3 on\n");
}

TEST(ErrorPatterns, AColumnIsNoStride) {
  EXPECT_EQ(text(patternsOf({16, 12}, [](int64_t i) { return i % 12 == 5; })),
            "column: only column 5 of 12, all of it\n");
}

TEST(ErrorPatterns, ColumnTail) {
  EXPECT_EQ(text(patternsOf({64, 100}, [](int64_t i) { return i % 100 > 95; })),
            "column: only columns 96 and above of 100, all of them\n");
}

TEST(ErrorPatterns, RowsThatArePartlyWrong) {
  EXPECT_EQ(text(patternsOf({64, 100},
                            [](int64_t i) {
                              return (i / 100 == 3 || i / 100 == 9) &&
                                     i % 100 % 7 < 3;
                            })),
            "row: only rows 3, 9 of 64, 44 % of their elements\n");
}

TEST(ErrorPatterns, OuterDimension) {
  std::string found = text(patternsOf(
      {4, 8, 8}, [](int64_t i) { return i / 64 == 2 && i % 3 == 0; }));
  EXPECT_EQ(found, "outer: only index of dimension 0 2 of 4, 32 % of their "
                   "elements\n");
}

TEST(ErrorPatterns, Tile) {
  std::string found = text(patternsOf({128, 128}, [](int64_t i) {
    int64_t row = i / 128, column = i % 128;
    return (row / 32 == 1 && column / 32 == 2) ||
           (row / 32 == 3 && column / 32 == 0);
  }));
  EXPECT_NE(found.find("tile: 2 of 16 tiles of 32 x 32, the first at row 32, "
                       "column 64\n"),
            std::string::npos)
      << found;
}

TEST(ErrorPatterns, OneThreadOfEachBlock) {
  std::string found = text(patternsOf(
      {5000}, [](int64_t i) { return i % 256 == 255 && i / 256 % 5 != 1; },
      {{"k", 256}}));
  EXPECT_EQ(found, "thread: threads 255 of their blocks, if thread i of the "
                   "grid makes element i (kernel 'k', 256 threads a block)\n");
}

TEST(ErrorPatterns, SomeBlocks) {
  std::string found = text(patternsOf(
      {64 * 256},
      [](int64_t i) { return (i / 256 == 5 || i / 256 == 17) && i % 3 != 1; },
      {{"k", 256}}));
  EXPECT_NE(found.find("block: blocks 5, 17 of 64,"), std::string::npos)
      << found;
}

TEST(ErrorPatterns, NoPattern) {
  std::string found = text(patternsOf(
      {64, 64}, [](int64_t i) { return (i * 2654435761u >> 7) % 11 == 0; }));
  EXPECT_TRUE(found.starts_with("scattered: no pattern: ")) << found;
}
