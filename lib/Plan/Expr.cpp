//===- Expr.cpp - Parse and evaluate plan expressions ---------------------===//
//
// Precedence climbing over a table of binary operators makes a tree, which
// Evaluator walks and others may (Embed emits code from it). && and || do not
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

const BinaryOp *findOperator(std::string_view token) {
  const auto *op = std::ranges::find(binaryOps, token, &BinaryOp::token);
  return op == std::end(binaryOps) ? nullptr : op;
}

const Function *findFunction(std::string_view name) {
  const auto *function = std::ranges::find(functions, name, &Function::name);
  return function == std::end(functions) ? nullptr : function;
}

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Expected<ExprNode> run() {
    if (text.size() > maxLength)
      return makeError(Error::Code::Invalid,
                       "expression is longer than 2000 characters");
    ExprNode root = binary(1, 0);
    skipSpace();
    if (at < text.size())
      fail("unexpected '" + std::string(1, text[at]) + "' at offset " +
           std::to_string(at));
    if (!error.empty())
      return makeError(Error::Code::Invalid,
                       error + " in '" + std::string(text) + "'");
    return root;
  }

private:
  static ExprNode apply(std::string_view op, std::vector<ExprNode> operands) {
    return {ExprNode::Kind::Apply, 0, std::string(op), std::move(operands)};
  }

  ExprNode binary(int minPrecedence, int depth) {
    if (depth > maxDepth)
      return fail("nested too deeply");
    ExprNode left = unary(depth);
    while (const BinaryOp *op = peekOperator(minPrecedence)) {
      at += op->token.size();
      ExprNode right = binary(op->precedence + 1, depth + 1);
      left = apply(op->token, {std::move(left), std::move(right)});
    }
    return left;
  }

  ExprNode unary(int depth) {
    if (depth > maxDepth)
      return fail("nested too deeply");
    skipSpace();
    if (eat('-'))
      return apply("-", {ExprNode{}, unary(depth + 1)});
    if (at + 1 < text.size() && text[at + 1] == '=')
      return primary(depth);
    if (eat('!'))
      return apply("==", {unary(depth + 1), ExprNode{}});
    return primary(depth);
  }

  ExprNode primary(int depth) {
    skipSpace();
    if (eat('(')) {
      ExprNode value = binary(1, depth + 1);
      return expect(')'), value;
    }
    if (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
      return literal();
    if (std::string word = identifier(); !word.empty())
      return nextIs('(') ? call(word, depth)
                         : ExprNode{ExprNode::Kind::Name, 0, word, {}};
    if (at >= text.size())
      return fail("unexpected end");
    return fail("unexpected '" + std::string(1, text[at]) + "' at offset " +
                std::to_string(at));
  }

  ExprNode literal() {
    ExprNode value;
    for (; at < text.size() && std::isdigit((unsigned char)text[at]); ++at)
      if (__builtin_mul_overflow(value.number, int64_t(10), &value.number) ||
          __builtin_add_overflow(value.number, int64_t(text[at] - '0'),
                                 &value.number))
        return fail("number does not fit 64 bits");
    if (at < text.size() && (text[at] == '.' || std::isalpha(text[at])))
      return fail("only integers are allowed");
    return value;
  }

  ExprNode call(const std::string &word, int depth) {
    if (!findFunction(word))
      return fail("unknown function '" + word + "'; known: ceildiv, min, max");
    eat('(');
    ExprNode a = binary(1, depth + 1);
    expect(',');
    ExprNode b = binary(1, depth + 1);
    expect(')');
    return apply(word, {std::move(a), std::move(b)});
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

  ExprNode fail(const std::string &message) {
    if (error.empty())
      error = message;
    at = text.size();
    return {};
  }

  std::string_view text;
  size_t at = 0;
  std::string error;
};

class Evaluator {
public:
  explicit Evaluator(const Bindings &bindings) : bindings(bindings) {}

  int64_t value(const ExprNode &node) {
    switch (node.kind) {
    case ExprNode::Kind::Number:
      return node.number;
    case ExprNode::Kind::Name:
      return variable(node.text);
    case ExprNode::Kind::Apply:
      return apply(node);
    }
    return 0;
  }

  std::string error;

private:
  const Bindings &bindings;

  int64_t variable(const std::string &word) {
    auto it = bindings.find(word);
    if (it != bindings.end())
      return it->second;
    std::string known;
    for (const auto &[name, value] : bindings)
      known += (known.empty() ? "" : ", ") + name;
    return fail("unknown name '" + word +
                "'; known: " + (known.empty() ? "none" : known));
  }

  int64_t apply(const ExprNode &node) {
    const BinaryOp *op = findOperator(node.text);
    int64_t a = value(node.operands[0]);
    if (node.text == "&&" && !a)
      return 0;
    if (node.text == "||" && a)
      return 1;
    int64_t b = value(node.operands[1]);
    int64_t result = 0;
    Apply function = op ? op->apply : findFunction(node.text)->apply;
    if (!error.empty() || function(a, b, result))
      return result;
    bool dividing =
        node.text == "/" || node.text == "%" || node.text == "ceildiv";
    return fail(dividing && b == 0 ? "division by zero" : "64-bit overflow");
  }

  int64_t fail(const std::string &message) {
    if (error.empty())
      error = message;
    return 0;
  }
};

void collectNames(const ExprNode &node, std::vector<std::string> &names) {
  if (node.kind == ExprNode::Kind::Name &&
      std::ranges::find(names, node.text) == names.end())
    names.push_back(node.text);
  for (const ExprNode &operand : node.operands)
    collectNames(operand, names);
}

} // namespace

Expected<ExprNode> Expr::parse() const { return Parser(text).run(); }

Expected<int64_t> Expr::evaluate(const Bindings &bindings) const {
  Expected<ExprNode> root = parse();
  if (!root)
    return std::unexpected(root.error());
  Evaluator evaluator(bindings);
  int64_t value = evaluator.value(*root);
  if (!evaluator.error.empty())
    return makeError(Error::Code::Invalid,
                     evaluator.error + " in '" + text + "'");
  return value;
}

Expected<std::vector<std::string>> Expr::names() const {
  Expected<ExprNode> root = parse();
  if (!root)
    return std::unexpected(root.error());
  std::vector<std::string> names;
  collectNames(*root, names);
  return names;
}

} // namespace kclaw
