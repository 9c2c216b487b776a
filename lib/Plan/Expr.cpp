//===- Expr.cpp - Parse and evaluate plan expressions ---------------------===//
//
// Precedence climbing over a table of binary operators. && and || do not
// evaluate their right side when the left decides, so `d != 0 && n / d > 1`
// is safe. Length and nesting are bounded: the text comes from a model.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/Expr.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace kclaw {
namespace {

constexpr size_t maxLength = 2000;
constexpr int maxDepth = 50;

using Apply = bool (*)(int64_t, int64_t, int64_t &);

bool divide(int64_t a, int64_t b, int64_t &r) {
  if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1))
    return false;
  r = a / b;
  return true;
}

bool remainder(int64_t a, int64_t b, int64_t &r) {
  if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1))
    return false;
  r = a % b;
  return true;
}

bool ceildiv(int64_t a, int64_t b, int64_t &r) {
  if (!divide(a, b, r))
    return false;
  bool roundUp = a % b != 0 && (a < 0) == (b < 0);
  r += roundUp;
  return true;
}

struct BinaryOp {
  std::string_view token;
  int precedence;
  Apply apply;
};

/// Longer tokens first, so that "<=" is not read as "<".
constexpr BinaryOp binaryOps[] = {
    {"||", 1,
     [](int64_t a, int64_t b, int64_t &r) { return r = a || b, true; }},
    {"&&", 2,
     [](int64_t a, int64_t b, int64_t &r) { return r = a && b, true; }},
    {"==", 3,
     [](int64_t a, int64_t b, int64_t &r) { return r = a == b, true; }},
    {"!=", 3,
     [](int64_t a, int64_t b, int64_t &r) { return r = a != b, true; }},
    {"<=", 4,
     [](int64_t a, int64_t b, int64_t &r) { return r = a <= b, true; }},
    {">=", 4,
     [](int64_t a, int64_t b, int64_t &r) { return r = a >= b, true; }},
    {"<", 4, [](int64_t a, int64_t b, int64_t &r) { return r = a < b, true; }},
    {">", 4, [](int64_t a, int64_t b, int64_t &r) { return r = a > b, true; }},
    {"+", 5,
     [](int64_t a, int64_t b, int64_t &r) {
       return !__builtin_add_overflow(a, b, &r);
     }},
    {"-", 5,
     [](int64_t a, int64_t b, int64_t &r) {
       return !__builtin_sub_overflow(a, b, &r);
     }},
    {"*", 6,
     [](int64_t a, int64_t b, int64_t &r) {
       return !__builtin_mul_overflow(a, b, &r);
     }},
    {"/", 6, divide},
    {"%", 6, remainder},
};

struct Function {
  std::string_view name;
  Apply apply;
};

constexpr Function functions[] = {
    {"ceildiv", ceildiv},
    {"min",
     [](int64_t a, int64_t b, int64_t &r) { return r = std::min(a, b), true; }},
    {"max",
     [](int64_t a, int64_t b, int64_t &r) { return r = std::max(a, b), true; }},
};

class Parser {
public:
  /// Without bindings only the syntax is checked and names are collected.
  Parser(std::string_view text, const Bindings *bindings)
      : text(text), bindings(bindings), active(bindings != nullptr) {}

  Expected<int64_t> run() {
    if (text.size() > maxLength)
      return makeError(Error::Code::Invalid,
                       "expression is longer than 2000 characters");
    int64_t value = binary(1, 0);
    skipSpace();
    if (at < text.size())
      fail("unexpected '" + std::string(1, text[at]) + "' at offset " +
           std::to_string(at));
    if (!error.empty())
      return makeError(Error::Code::Invalid,
                       error + " in '" + std::string(text) + "'");
    return value;
  }

  std::vector<std::string> names;

private:
  int64_t binary(int minPrecedence, int depth) {
    if (depth > maxDepth)
      return fail("nested too deeply");
    int64_t left = unary(depth);
    while (const BinaryOp *op = peekOperator(minPrecedence)) {
      at += op->token.size();
      bool wasActive = active;
      bool decided =
          (op->token == "&&" && !left) || (op->token == "||" && left);
      active = active && !decided;
      int64_t right = binary(op->precedence + 1, depth + 1);
      active = wasActive;
      left = apply(op->apply, op->token, left, right);
    }
    return left;
  }

  int64_t unary(int depth) {
    if (depth > maxDepth)
      return fail("nested too deeply");
    skipSpace();
    if (eat('-'))
      return apply(binaryOps[9].apply, "-", 0, unary(depth + 1));
    if (at + 1 < text.size() && text[at + 1] == '=')
      return primary(depth);
    if (eat('!'))
      return !unary(depth + 1);
    return primary(depth);
  }

  int64_t primary(int depth) {
    skipSpace();
    if (eat('(')) {
      int64_t value = binary(1, depth + 1);
      return expect(')'), value;
    }
    if (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
      return literal();
    if (std::string word = identifier(); !word.empty())
      return nextIs('(') ? call(word, depth) : variable(word);
    if (at >= text.size())
      return fail("unexpected end");
    return fail("unexpected '" + std::string(1, text[at]) + "' at offset " +
                std::to_string(at));
  }

  int64_t literal() {
    int64_t value = 0;
    for (; at < text.size() && std::isdigit((unsigned char)text[at]); ++at)
      if (__builtin_mul_overflow(value, int64_t(10), &value) ||
          __builtin_add_overflow(value, int64_t(text[at] - '0'), &value))
        return fail("number does not fit 64 bits");
    if (at < text.size() && (text[at] == '.' || std::isalpha(text[at])))
      return fail("only integers are allowed");
    return value;
  }

  int64_t call(const std::string &word, int depth) {
    for (const Function &function : functions) {
      if (function.name != word)
        continue;
      eat('(');
      int64_t a = binary(1, depth + 1);
      expect(',');
      int64_t b = binary(1, depth + 1);
      expect(')');
      return apply(function.apply, word, a, b);
    }
    return fail("unknown function '" + word + "'; known: ceildiv, min, max");
  }

  int64_t variable(const std::string &word) {
    if (std::ranges::find(names, word) == names.end())
      names.push_back(word);
    if (!bindings)
      return 0;
    auto it = bindings->find(word);
    if (it != bindings->end())
      return it->second;
    std::string known;
    for (const auto &[name, value] : *bindings)
      known += (known.empty() ? "" : ", ") + name;
    return fail("unknown name '" + word +
                "'; known: " + (known.empty() ? "none" : known));
  }

  int64_t apply(Apply function, std::string_view token, int64_t a, int64_t b) {
    int64_t result = 0;
    if (!active || !error.empty() || function(a, b, result))
      return result;
    bool dividing =
        b == 0 && (token == "/" || token == "%" || token == "ceildiv");
    return fail(dividing ? "division by zero" : "64-bit overflow");
  }

  const BinaryOp *peekOperator(int minPrecedence) {
    skipSpace();
    for (const BinaryOp &op : binaryOps)
      if (text.substr(at).starts_with(op.token))
        return op.precedence >= minPrecedence ? &op : nullptr;
    return nullptr;
  }

  std::string identifier() {
    size_t start = at;
    auto isWord = [this] {
      return at < text.size() &&
             (std::isalnum((unsigned char)text[at]) || text[at] == '_');
    };
    while (isWord())
      ++at;
    return std::string(text.substr(start, at - start));
  }

  void skipSpace() {
    while (at < text.size() && std::isspace((unsigned char)text[at]))
      ++at;
  }

  bool nextIs(char c) {
    skipSpace();
    return at < text.size() && text[at] == c;
  }

  bool eat(char c) { return nextIs(c) ? (++at, true) : false; }

  void expect(char c) {
    if (!eat(c))
      fail(std::string("expected '") + c + "' at offset " + std::to_string(at));
  }

  int64_t fail(const std::string &message) {
    if (error.empty())
      error = message;
    at = text.size();
    return 0;
  }

  std::string_view text;
  const Bindings *bindings;
  bool active;
  size_t at = 0;
  std::string error;
};

} // namespace

Expected<int64_t> Expr::evaluate(const Bindings &bindings) const {
  return Parser(text, &bindings).run();
}

Expected<std::vector<std::string>> Expr::names() const {
  Parser parser(text, nullptr);
  if (auto value = parser.run(); !value)
    return std::unexpected(value.error());
  return parser.names;
}

} // namespace kclaw
