// Expressions: values, errors instead of undefined behaviour, bounded input.
#include "kernelclaw/Plan/Expr.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

const Bindings bindings = {{"rows", 10}, {"cols", 3}, {"zero", 0}};

int64_t valueOf(const std::string &text) {
  auto value = Expr(text).evaluate(bindings);
  EXPECT_TRUE(value) << text << ": " << value.error().message;
  return value.value_or(-999);
}

std::string errorOf(const std::string &text) {
  auto value = Expr(text).evaluate(bindings);
  return value ? "value " + std::to_string(*value) : value.error().message;
}

TEST(Expr, Values) {
  const std::pair<const char *, int64_t> cases[] = {
      {"7", 7},
      {" rows * cols + 2 ", 32},
      {"2 + rows * cols", 32},
      {"(2 + rows) * cols", 36},
      {"10 - 3 - 2", 5},
      {"-7 / 2", -3},
      {"-7 % 2", -1},
      {"--7", 7},
      {"ceildiv(rows, cols)", 4},
      {"ceildiv(-7, 2)", -3},
      {"ceildiv(9, cols)", 3},
      {"min(rows, max(cols, 5))", 5},
      {"rows >= 10 && cols != 4", 1},
      {"rows < 10 || !cols", 0},
      {"!zero", 1},
      {"1 < 2 == 1", 1},
      {"1 + 1 == 2", 1},
      {"9223372036854775807", 9223372036854775807},
      {"-9223372036854775807 - 1", -9223372036854775807 - 1},
      // The right side is not evaluated when the left decides.
      {"zero != 0 && rows / zero > 1", 0},
      {"zero == 0 || rows / zero > 1", 1},
  };
  for (const auto &[text, value] : cases)
    EXPECT_EQ(valueOf(text), value) << text;
}

TEST(Expr, TreeHasTwoOperandsAnOperator) {
  auto root = Expr("!rows + max(-cols, 2)").parse();
  ASSERT_TRUE(root);
  EXPECT_EQ(root->text, "+");
  ASSERT_EQ(root->operands.size(), 2u);
  EXPECT_EQ(root->operands[0].text, "==");
  const ExprNode &max = root->operands[1];
  EXPECT_EQ(max.text, "max");
  EXPECT_EQ(max.operands[0].text, "-");
  EXPECT_EQ(max.operands[0].operands[0].number, 0);
  EXPECT_EQ(max.operands[0].operands[1].kind, ExprNode::Kind::Name);
  EXPECT_EQ(max.operands[1].number, 2);
}

TEST(Expr, Errors) {
  const std::pair<const char *, const char *> cases[] = {
      {"rows / zero", "division by zero in 'rows / zero'"},
      {"rows % 0", "division by zero in 'rows % 0'"},
      {"ceildiv(1, zero)", "division by zero in 'ceildiv(1, zero)'"},
      {"9223372036854775807 + 1",
       "64-bit overflow in '9223372036854775807 + 1'"},
      {"9223372036854775807 * rows",
       "64-bit overflow in '9223372036854775807 * rows'"},
      {"(-9223372036854775807 - 1) / -1",
       "64-bit overflow in '(-9223372036854775807 - 1) / -1'"},
      {"(-9223372036854775807 - 1) % -1",
       "64-bit overflow in '(-9223372036854775807 - 1) % -1'"},
      {"9223372036854775808",
       "number does not fit 64 bits in '9223372036854775808'"},
      {"rowz", "unknown name 'rowz'; known: cols, rows, zero in 'rowz'"},
      {"log(2, 3)",
       "unknown function 'log'; known: ceildiv, min, max in 'log(2, 3)'"},
      {"", "unexpected end in ''"},
      {"1 +", "unexpected end in '1 +'"},
      {"1 2", "unexpected '2' at offset 2 in '1 2'"},
      {"(1", "expected ')' at offset 2 in '(1'"},
      {"min(1)", "expected ',' at offset 5 in 'min(1)'"},
      {"1.5", "only integers are allowed in '1.5'"},
      {"rows; 1", "unexpected ';' at offset 4 in 'rows; 1'"},
      {"1 = 1", "unexpected '=' at offset 2 in '1 = 1'"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(errorOf(text), message);
}

TEST(Expr, HostileTextIsBounded) {
  EXPECT_EQ(errorOf(std::string(3000, '1')),
            "expression is longer than 2000 characters");
  for (const char *piece : {"(", "-", "!", "min(1,"}) {
    std::string text;
    while (text.size() < 1900)
      text += piece;
    EXPECT_TRUE(errorOf(text).starts_with("nested too deeply")) << piece;
  }
}

TEST(Expr, Names) {
  auto names = Expr("b + ceildiv(a, b) * 2 / 0").names();
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"b", "a"}));
  EXPECT_FALSE(Expr("a +").names());
}

} // namespace
