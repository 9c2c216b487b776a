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

/// An expression kept as its text; parsed on evaluation. Most are constants.
class Expr {
public:
  Expr(int64_t value = 0) : text(std::to_string(value)) {}
  explicit Expr(std::string text) : text(std::move(text)) {}

  const std::string &str() const { return text; }
  Expected<int64_t> evaluate(const Bindings &bindings) const;
  /// The names it uses; an error when it does not parse.
  Expected<std::vector<std::string>> names() const;

private:
  std::string text;
};

} // namespace kclaw

#endif // KERNELCLAW_PLAN_EXPR_H
