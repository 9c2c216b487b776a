//===- ConditionTest.cpp - Precedence, unknowns, errors -------------------===//
#include "kernelclaw/Memory/Condition.h"

#include <gtest/gtest.h>

#include <map>

namespace kclaw {
namespace {

std::optional<double> valueOf(const std::string &text,
                              const std::map<std::string, double> &names = {}) {
  auto condition = Condition::parse(text);
  EXPECT_TRUE(condition) << text;
  return condition ? condition->value([&](const std::string &name) {
    auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
  })
                   : std::nullopt;
}

std::string errorOf(const std::string &text) {
  auto condition = Condition::parse(text);
  return condition ? "parsed" : condition.error().message;
}

TEST(Condition, ArithmeticBindsTighterThanComparisonThanNotThanAndThanOr) {
  EXPECT_EQ(valueOf("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(valueOf("-2 * -3"), 6);
  EXPECT_EQ(valueOf("10 - 3 - 2"), 5);
  EXPECT_EQ(valueOf("not 1 < 2"), 0);
  EXPECT_EQ(valueOf("1 or 0 and 0"), 1);
  EXPECT_EQ(valueOf("(1 or 0) and 0"), 0);
  EXPECT_EQ(valueOf("not 0 and not 0"), 1);
  EXPECT_EQ(valueOf("max(1, 7, 3) - min(4, 2) + abs(-1)"), 6);
  EXPECT_EQ(valueOf("1e3 >= 1000"), 1);
}

TEST(Condition, UnknownIsNotTrueAndKleeneDecidesWhatItCan) {
  EXPECT_EQ(valueOf("x > 1"), std::nullopt);
  EXPECT_EQ(valueOf("not x"), std::nullopt);
  EXPECT_EQ(valueOf("x > 1 and 0"), 0);
  EXPECT_EQ(valueOf("0 and x"), 0);
  EXPECT_EQ(valueOf("x or 1"), 1);
  EXPECT_EQ(valueOf("x or 0"), std::nullopt);
  EXPECT_EQ(valueOf("x * 0"), std::nullopt);
  EXPECT_EQ(valueOf("known(x)"), 0);
  EXPECT_EQ(valueOf("known(x) and x > 1", {{"x", 2}}), 1);
}

TEST(Condition, DivisionByZeroIsUnknown) {
  EXPECT_EQ(valueOf("1 / 0 > 0"), std::nullopt);
  EXPECT_EQ(valueOf("0 / 0 == 0"), std::nullopt);
}

TEST(Condition, NamesComeOnceInOrder) {
  auto condition = Condition::parse("b < a and min(c, b) > 2 or not a");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->names(), (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(condition->numbers(), (std::vector<double>{2}));
}

TEST(Condition, WordsThatBeginLikeOperatorsAreNames) {
  EXPECT_EQ(valueOf("order and nothing", {{"order", 1}, {"nothing", 1}}), 1);
}

TEST(Condition, ErrorsNameColumnAndWhatWasExpected) {
  EXPECT_EQ(errorOf("a < "),
            "column 5: expected a number, a name or '(' in 'a < '");
  EXPECT_EQ(errorOf("a b"),
            "column 3: expected an operator or the end in 'a b'");
  EXPECT_EQ(errorOf("(a"), "column 3: expected ')' in '(a'");
  EXPECT_EQ(errorOf("1 < a < 3").substr(0, 40),
            "column 8: a comparison cannot be compare");
  EXPECT_NE(errorOf("median(a)").find("known: min, max"), std::string::npos);
  EXPECT_NE(errorOf("2x").find("expected an operator after the number"),
            std::string::npos);
  EXPECT_NE(errorOf("").find("expected a number"), std::string::npos);
}

} // namespace
} // namespace kclaw
