//===- Nesting.cpp - How deep MLIR text is nested -------------------------===//
//
// `<` and `>` are brackets in types and comparisons or arrows elsewhere, so a
// closing bracket of another kind closes those left open inside.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Torch/Nesting.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
class NestingScan {
public:
  explicit NestingScan(StringRef text) : text(text) {}
  std::optional<size_t> run();

private:
  void skipString();
  void skipWord();
  void close(char open);
  void visit(char c);
  char next() const { return at + 1 < text.size() ? text[at + 1] : '\0'; }

  StringRef text;
  size_t at = 0;
  SmallVector<char> open;
  unsigned operators = 0; ///< of the affine expression that may be here
};
} // namespace

/// Stops at the closing quote; a string ends with its line.
void NestingScan::skipString() {
  for (++at; at < text.size(); ++at) {
    at = std::min(text.find_first_of("\"\\\n", at), text.size());
    if (at == text.size() || text[at] != '\\')
      return;
    ++at;
  }
}

/// Stops at the last character of a word, %value, #alias or !type name, in
/// which '-' is a letter.
void NestingScan::skipWord() {
  size_t end = at + 1;
  while (end < text.size() &&
         (isAlnum(text[end]) || StringRef("_.$").contains(text[end]) ||
          (text[at] == '%' && text[end] == '-')))
    ++end;
  StringRef word = text.slice(at, end);
  operators += word == "floordiv" || word == "ceildiv" || word == "mod";
  at = end - 1;
}

void NestingScan::close(char opening) {
  if (!is_contained(open, opening))
    return;
  while (open.pop_back_val() != opening) {
  }
}

void NestingScan::visit(char c) {
  switch (c) {
  case '"':
    return skipString();
  case '/':
    if (next() == '/')
      at = std::min(text.find('\n', at), text.size());
    return;
  case '-':
    if (next() == '>')
      ++at;
    else
      ++operators;
    return;
  case '+':
  case '*':
    ++operators;
    return;
  case '<':
    if (next() == '=')
      return;
    [[fallthrough]];
  case '{':
  case '[':
    operators = 0;
    [[fallthrough]];
  case '(':
    open.push_back(c);
    return;
  case '>':
    if (next() == '=')
      return;
    operators = 0;
    if (!open.empty() && open.back() == '<')
      open.pop_back();
    return;
  case '}':
    operators = 0;
    return close('{');
  case ']':
    operators = 0;
    return close('[');
  case ')':
    return close('(');
  case ',':
  case '=':
  case ':':
    operators = 0;
    return;
  default:
    if (isAlnum(c) || c == '_' || c == '%')
      skipWord();
  }
}

std::optional<size_t> NestingScan::run() {
  for (; at < text.size(); ++at) {
    visit(text[at]);
    if (open.size() > kclaw::torch::maxNesting ||
        operators > kclaw::torch::maxNesting)
      return at;
  }
  return std::nullopt;
}

std::optional<size_t> kclaw::torch::nestingExceededAt(StringRef text) {
  return NestingScan(text).run();
}

LogicalResult kclaw::torch::checkNesting(MemoryBufferRef text) {
  std::optional<size_t> at = nestingExceededAt(text.getBuffer());
  if (!at)
    return success();
  StringRef before = text.getBuffer().take_front(*at);
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  // Without the line itself, which may be as long as it is deep.
  errs() << text.getBufferIdentifier() << ":" << line << ":" << column
         << ": error: nested more than " << maxNesting
         << " levels deep (brackets, or operators of one affine expression), "
            "more than the parser's stack is sure to hold\n";
  return failure();
}
