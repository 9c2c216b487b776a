//===- Condition.cpp - Parsing and three-valued truth ---------------------===//
//
// or < and < not < comparison < sum < product < sign. Arithmetic on what is
// not known is not known; `and` and `or` are Kleene's.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Memory/Condition.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

namespace kclaw {

struct Condition::Node {
  enum class Kind { Number, Name, Apply };
  Kind kind = Kind::Number;
  double number = 0;
  std::string text; ///< of a name, an operator or a function
  std::vector<std::shared_ptr<const Node>> operands;
};

namespace {
using Node = Condition::Node;
using NodePtr = std::shared_ptr<const Node>;
using Truth = std::optional<double>;

/// Binary operators by level, the loosest first; `not` stands between.
const std::vector<std::string_view> levels[] = {
    {"or"},
    {"and"},
    {"<=", ">=", "==", "!=", "<", ">"},
    {"+", "-"},
    {"*", "/"}};
constexpr size_t comparisonLevel = 2, levelCount = 5;

struct Function {
  std::string_view name;
  size_t least, most; ///< operands
};
constexpr Function functions[] = {
    {"min", 2, 8}, {"max", 2, 8}, {"abs", 1, 1}, {"known", 1, 1}};

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

class Parser {
public:
  explicit Parser(const std::string &text) : text(text) {}

  Expected<NodePtr> parse() {
    NodePtr root = level(0);
    skipBlanks();
    if (error.empty() && at < text.size())
      fail("expected an operator or the end");
    if (!error.empty())
      return makeError(Error::Code::Invalid, error);
    return root;
  }

private:
  NodePtr level(size_t index) {
    if (index == levelCount)
      return sign();
    if (index == comparisonLevel && accept("not"))
      return apply("not", {level(comparisonLevel)});
    NodePtr left = level(index + 1);
    while (error.empty()) {
      std::string found = acceptAny(levels[index]);
      if (found.empty())
        break;
      // `not` may follow `and` and `or` only.
      left = apply(found, {left, level(index + 1)});
      if (index == comparisonLevel && !acceptAny(levels[index]).empty())
        fail("a comparison cannot be compared again; write 'and'");
    }
    return left;
  }

  NodePtr sign() {
    if (accept("-"))
      return apply("negate", {sign()});
    return atom();
  }

  NodePtr atom() {
    skipBlanks();
    if (accept("(")) {
      NodePtr inner = level(0);
      expect(")");
      return inner;
    }
    if (at < text.size() &&
        (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.'))
      return number();
    std::string word = takeWord();
    if (word.empty() || word == "and" || word == "or" || word == "not") {
      at -= word.size();
      fail("expected a number, a name or '('");
      return std::make_shared<Node>();
    }
    if (!accept("(")) {
      Node node{Node::Kind::Name, 0, word, {}};
      return std::make_shared<Node>(std::move(node));
    }
    return call(word);
  }

  NodePtr call(const std::string &name) {
    std::vector<NodePtr> operands;
    do
      operands.push_back(level(0));
    while (error.empty() && accept(","));
    expect(")");
    for (const Function &row : functions)
      if (row.name == name && operands.size() >= row.least &&
          operands.size() <= row.most)
        return apply(name, std::move(operands));
    fail("'" + name + "' with " + std::to_string(operands.size()) +
         " operands; known: min, max, abs(x), known(x)");
    return std::make_shared<Node>();
  }

  NodePtr number() {
    double value = 0;
    auto [end, failed] =
        std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (failed != std::errc{})
      fail("expected a number");
    else
      at = static_cast<size_t>(end - text.data());
    if (at < text.size() && isWordCharacter(text[at]))
      fail("expected an operator after the number");
    return std::make_shared<Node>(Node{Node::Kind::Number, value, "", {}});
  }

  static NodePtr apply(std::string name, std::vector<NodePtr> operands) {
    return std::make_shared<Node>(
        Node{Node::Kind::Apply, 0, std::move(name), std::move(operands)});
  }

  void skipBlanks() {
    while (at < text.size() &&
           std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }

  std::string takeWord() {
    size_t begin = at;
    if (at < text.size() && !std::isdigit(static_cast<unsigned char>(text[at])))
      while (at < text.size() && isWordCharacter(text[at]))
        ++at;
    return text.substr(begin, at - begin);
  }

  bool accept(std::string_view token) {
    skipBlanks();
    if (text.compare(at, token.size(), token) != 0)
      return false;
    size_t end = at + token.size();
    bool isWord = isWordCharacter(token[0]);
    if (isWord && end < text.size() && isWordCharacter(text[end]))
      return false;
    at = end;
    return true;
  }

  std::string acceptAny(const std::vector<std::string_view> &tokens) {
    for (std::string_view token : tokens)
      if (accept(token))
        return std::string(token);
    return "";
  }

  void expect(std::string_view token) {
    if (error.empty() && !accept(token))
      fail("expected '" + std::string(token) + "'");
  }

  void fail(const std::string &what) {
    if (error.empty())
      error = "column " + std::to_string(at + 1) + ": " + what + " in '" +
              text + "'";
  }

  const std::string &text;
  size_t at = 0;
  std::string error;
};

Truth both(Truth left, Truth right) {
  if ((left && *left == 0) || (right && *right == 0))
    return 0;
  return left && right ? Truth(1) : std::nullopt;
}

Truth either(Truth left, Truth right) {
  if ((left && *left != 0) || (right && *right != 0))
    return 1;
  return left && right ? Truth(0) : std::nullopt;
}

struct Operator {
  std::string_view name;
  double (*apply)(double, double);
};
constexpr Operator operators[] = {
    {"<", [](double a, double b) { return double(a < b); }},
    {"<=", [](double a, double b) { return double(a <= b); }},
    {">", [](double a, double b) { return double(a > b); }},
    {">=", [](double a, double b) { return double(a >= b); }},
    {"==", [](double a, double b) { return double(a == b); }},
    {"!=", [](double a, double b) { return double(a != b); }},
    {"+", [](double a, double b) { return a + b; }},
    {"-", [](double a, double b) { return a - b; }},
    {"*", [](double a, double b) { return a * b; }},
    {"/", [](double a, double b) { return a / b; }},
    {"min", [](double a, double b) { return std::min(a, b); }},
    {"max", [](double a, double b) { return std::max(a, b); }}};

Truth evaluate(const Node &node, const Condition::LookUp &lookUp) {
  if (node.kind == Node::Kind::Number)
    return node.number;
  if (node.kind == Node::Kind::Name)
    return lookUp(node.text);
  Truth first = evaluate(*node.operands[0], lookUp);
  if (node.text == "known")
    return double(first.has_value());
  if (node.text == "and")
    return both(first, evaluate(*node.operands[1], lookUp));
  if (node.text == "or")
    return either(first, evaluate(*node.operands[1], lookUp));
  if (!first)
    return std::nullopt;
  if (node.text == "not")
    return double(*first == 0);
  if (node.text == "negate")
    return -*first;
  if (node.text == "abs")
    return std::abs(*first);
  double value = *first;
  for (size_t i = 1; i < node.operands.size(); ++i) {
    Truth next = evaluate(*node.operands[i], lookUp);
    if (!next)
      return std::nullopt;
    value = std::ranges::find(operators, node.text, &Operator::name)
                ->apply(value, *next);
  }
  return std::isfinite(value) ? Truth(value) : std::nullopt;
}

void collect(const Node &node, std::vector<std::string> &names,
             std::vector<double> &numbers) {
  if (node.kind == Node::Kind::Number)
    numbers.push_back(node.number);
  if (node.kind == Node::Kind::Name &&
      std::ranges::find(names, node.text) == names.end())
    names.push_back(node.text);
  for (const NodePtr &operand : node.operands)
    collect(*operand, names, numbers);
}
} // namespace

Expected<Condition> Condition::parse(const std::string &text) {
  Expected<NodePtr> root = Parser(text).parse();
  if (!root)
    return std::unexpected(root.error());
  Condition condition;
  condition.source = text;
  condition.root = *root;
  return condition;
}

std::optional<double> Condition::value(const LookUp &lookUp) const {
  return root ? evaluate(*root, lookUp) : Truth(1);
}

std::vector<std::string> Condition::names() const {
  std::vector<std::string> names;
  std::vector<double> numbers;
  if (root)
    collect(*root, names, numbers);
  return names;
}

std::vector<double> Condition::numbers() const {
  std::vector<std::string> names;
  std::vector<double> numbers;
  if (root)
    collect(*root, names, numbers);
  return numbers;
}

} // namespace kclaw
