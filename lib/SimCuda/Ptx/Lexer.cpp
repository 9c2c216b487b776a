//===- Lexer.cpp ----------------------------------------------------------===//
#include "Lexer.h"

#include <bit>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace kclaw::sim::ptx {

namespace {

bool startsWord(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.';
}
bool continuesWord(char c) {
  return startsWord(c) || std::isdigit(static_cast<unsigned char>(c));
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text.size() / 4);
    while (skipBlank())
      tokens.push_back(next());
    tokens.push_back({Token::Kind::End, "", 0, Type::F64, line});
    return tokens;
  }

private:
  bool skipBlank() {
    while (at < text.size()) {
      char c = text[at];
      if (c == '\n')
        ++line, ++at;
      else if (c == '\0' || std::isspace(static_cast<unsigned char>(c)))
        ++at;
      else if (text.substr(at, 2) == "//")
        at = std::min(text.find('\n', at), text.size());
      else if (text.substr(at, 2) == "/*")
        skipComment();
      else
        return true;
    }
    return false;
  }

  void skipComment() {
    size_t end = text.find("*/", at + 2);
    if (end == std::string_view::npos)
      throw LoadError(line, "comment without end");
    for (; at < end + 2; ++at)
      line += text[at] == '\n';
  }

  Token next() {
    char c = text[at];
    bool dotNumber = c == '.' && at + 1 < text.size() && isDigit(text[at + 1]);
    if (isDigit(c) || dotNumber)
      return number();
    if (startsWord(c))
      return word();
    if (c == '"')
      return string();
    static constexpr std::string_view punctuation = ",;:()[]{}<>|!@+-=*/~&";
    if (punctuation.find(c) == std::string_view::npos)
      throw LoadError(line, std::string("unexpected character '") + c + "'");
    return {Token::Kind::Punctuation, text.substr(at++, 1), 0, Type::F64, line};
  }

  static bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c));
  }

  Token word() {
    size_t begin = at++;
    bool directive = text[begin] == '.'; // .reg.b32 is two words
    while (at < text.size()) {
      if (directive && text[at] == '.')
        break;
      if (continuesWord(text[at]))
        ++at;
      else if (text.substr(at, 2) == "::")
        at += 2;
      else
        break;
    }
    return {Token::Kind::Word, text.substr(begin, at - begin), 0, Type::F64,
            line};
  }

  Token string() {
    size_t end = text.find('"', at + 1);
    if (end == std::string_view::npos)
      throw LoadError(line, "string without end");
    Token token{Token::Kind::String, text.substr(at + 1, end - at - 1), 0,
                Type::F64, line};
    at = end + 1;
    return token;
  }

  Token number() {
    size_t begin = at;
    if (text[at] == '0' && at + 1 < text.size()) {
      char kind = char(std::tolower(static_cast<unsigned char>(text[at + 1])));
      if (kind == 'f' || kind == 'd')
        return hexFloat(kind == 'f' ? Type::F32 : Type::F64,
                        kind == 'f' ? 8 : 16);
    }
    while (at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) ||
            text[at] == '.' || exponentSign(begin)))
      ++at;
    std::string_view all = text.substr(begin, at - begin);
    bool hex = all.size() > 1 && (all[1] == 'x' || all[1] == 'X');
    if (!hex && all.find_first_of(".eE") != std::string_view::npos)
      return {Token::Kind::Float, all,
              std::bit_cast<uint64_t>(
                  std::strtod(std::string(all).c_str(), nullptr)),
              Type::F64, line};
    return integer(all, hex);
  }

  bool exponentSign(size_t begin) const {
    if (text[at] != '+' && text[at] != '-')
      return false;
    char before = text[at - 1];
    bool hex = text[begin] == '0' && begin + 1 < text.size() &&
               (text[begin + 1] == 'x' || text[begin + 1] == 'X');
    return !hex && (before == 'e' || before == 'E');
  }

  Token integer(std::string_view all, bool hex) {
    std::string_view digits = all;
    if (digits.back() == 'U')
      digits.remove_suffix(1);
    int base = 10;
    if (hex)
      base = 16, digits.remove_prefix(2);
    else if (digits.size() > 2 && (digits[1] == 'b' || digits[1] == 'B'))
      base = 2, digits.remove_prefix(2);
    else if (digits.size() > 1 && digits[0] == '0')
      base = 8, digits.remove_prefix(1);
    uint64_t value = 0;
    auto [end, code] =
        std::from_chars(digits.begin(), digits.end(), value, base);
    if (code != std::errc{} || end != digits.end())
      throw LoadError(line, "malformed number '" + std::string(all) + "'");
    return {Token::Kind::Integer, all, value, Type::F64, line};
  }

  Token hexFloat(Type type, size_t digits) {
    std::string_view all = text.substr(at, digits + 2);
    uint64_t value = 0;
    auto [end, code] = std::from_chars(all.begin() + 2, all.end(), value, 16);
    if (all.size() != digits + 2 || code != std::errc{} || end != all.end())
      throw LoadError(line, "malformed number '" + std::string(all) + "'");
    at += all.size();
    return {Token::Kind::Float, all, value, type, line};
  }

  std::string_view text;
  size_t at = 0;
  uint32_t line = 1;
};

} // namespace

std::vector<Token> tokenise(std::string_view text) { return Lexer(text).run(); }

} // namespace kclaw::sim::ptx
