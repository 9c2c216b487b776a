//===- Lexer.h - PTX tokens -------------------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_PTX_LEXER_H
#define KERNELCLAW_LIB_SIMCUDA_PTX_LEXER_H

#include "Parse.h"

namespace kclaw::sim::ptx {

struct Token {
  enum class Kind { Word, Integer, Float, String, Punctuation, End } kind;
  std::string_view text; ///< a word keeps its dots: ".reg", "add.rn.f32"
  uint64_t bits = 0;     ///< numbers
  Type floatType = Type::F64;
  uint32_t line = 0;
  bool is(std::string_view what) const {
    return text == what && kind != Kind::String;
  }
};

/// The whole text as tokens, comments dropped; ends with Kind::End.
std::vector<Token> tokenise(std::string_view text);

} // namespace kclaw::sim::ptx

#endif // KERNELCLAW_LIB_SIMCUDA_PTX_LEXER_H
