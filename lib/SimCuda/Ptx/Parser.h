//===- Parser.h - The parser's parts ----------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_PTX_PARSER_H
#define KERNELCLAW_LIB_SIMCUDA_PTX_PARSER_H

#include "Lexer.h"

#include <set>

namespace kclaw::sim::ptx {

/// Tokens with one place to stand.
class Cursor {
public:
  explicit Cursor(std::vector<Token> tokens) : tokens(std::move(tokens)) {}
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  const Token &take() {
    const Token &token = peek();
    at += at + 1 < tokens.size();
    return token;
  }
  bool atEnd() const { return peek().kind == Token::Kind::End; }
  bool accept(std::string_view text) {
    if (!peek().is(text))
      return false;
    take();
    return true;
  }
  void expect(std::string_view text);
  std::string word();
  uint64_t integer(); ///< with an optional minus sign
  uint32_t line() const { return peek().line; }
  [[noreturn]] void error(const std::string &what) const;
  /// Skips a balanced {...}.
  void skipBraces();

private:
  std::vector<Token> tokens;
  size_t at = 0;
};

Operand parseOperand(Cursor &cursor);

/// After ".global", ".shared", ...: `.align 4 .b8 name[16] = {..}, other`.
std::vector<Variable> parseVariables(Cursor &cursor, Space space);
/// One `.param .u64 .ptr .global .align 4 name` of a parameter list.
std::vector<Variable> parseParameterList(Cursor &cursor);
/// After .entry or .func.
Function parseFunction(Cursor &cursor, bool isEntry);
/// `.loc 1 23 5 [, function_name ..., inlined_at ...]` after the directive.
Location parseLocation(Cursor &cursor);

} // namespace kclaw::sim::ptx

#endif // KERNELCLAW_LIB_SIMCUDA_PTX_PARSER_H
