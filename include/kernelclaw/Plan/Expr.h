//===- Expr.h - Integer expressions of plans --------------------*- C++ -*-===//
//
// Grids, sizes and offsets of a Plan: 64-bit integers, names (dimensions and
// tunables), + - * / % (division towards zero), ceildiv(a,b), min, max,
// comparisons, && || !, parentheses. Overflow and division by zero are errors,
// not undefined behaviour.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_EXPR_H
#define KERNELCLAW_PLAN_EXPR_H

#include "kernelclaw/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kclaw {

/// Values of the names an expression may use.
using Bindings = std::map<std::string, int64_t>;

/// A parsed expression. Apply has two operands and an operator or function of
/// the list above as its text; -x is 0 - x and !x is x == 0.
struct ExprNode {
  enum class Kind { Number, Name, Apply };
  Kind kind = Kind::Number;
  int64_t number = 0;
  std::string text;
  std::vector<ExprNode> operands;
};

/// An expression kept as its text; parsed on evaluation. Most are constants.
class Expr {
public:
  Expr(int64_t value = 0) : text(std::to_string(value)) {}
  explicit Expr(std::string text) : text(std::move(text)) {}

  const std::string &str() const { return text; }
  Expected<ExprNode> parse() const;
  Expected<int64_t> evaluate(const Bindings &bindings) const;
  /// The names it uses; an error when it does not parse.
  Expected<std::vector<std::string>> names() const;

private:
  std::string text;
};

} // namespace kclaw

#endif // KERNELCLAW_PLAN_EXPR_H
