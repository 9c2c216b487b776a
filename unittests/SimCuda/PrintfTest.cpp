//===- PrintfTest.cpp - printf of a kernel --------------------------------===//
#include "SimCuda/Exec/Printf.h"

#include <bit>
#include <gtest/gtest.h>
#include <vector>

namespace kclaw::sim {

static std::string print(const std::string &format,
                         std::vector<uint64_t> words) {
  size_t next = 0;
  PrintfArguments arguments;
  arguments.word = [&](unsigned bytes) {
    uint64_t word = words.at(next++);
    return bytes == 4 ? uint32_t(word) : word;
  };
  arguments.string = [](uint64_t address) {
    return "s" + std::to_string(address);
  };
  PrintfResult result = formatPrintf(format, arguments);
  EXPECT_EQ(size_t(result.arguments), words.size());
  return result.text;
}

TEST(Printf, conversions) {
  EXPECT_EQ(print("%d|%5u|%-4x|", {uint64_t(-3), 42, 255}), "-3|   42|ff  |");
  EXPECT_EQ(print("%lld %zu", {uint64_t(-5), 1ull << 40}), "-5 1099511627776");
  EXPECT_EQ(print("%.2f %e", {std::bit_cast<uint64_t>(1.239),
                              std::bit_cast<uint64_t>(10.0)}),
            "1.24 1.000000e+01");
  EXPECT_EQ(print("100%% %c%s", {'x', 7}), "100% xs7");
  EXPECT_EQ(print("%*d", {6, 9}), "     9");
  EXPECT_EQ(print("%hhd %hu", {0x1ff, 0x12345}), "-1 9029");
}

} // namespace kclaw::sim
