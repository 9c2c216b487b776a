//===- KernelSignatures.cpp - The kernels of a CUDA source ----------------===//
#include "KernelSignatures.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace kclaw {
namespace {

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The end of the bracket that opens at `open`, or npos.
size_t closing(const std::string &text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0)
      return i;
  }
  return std::string::npos;
}

std::string wordBefore(const std::string &text, size_t end) {
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])))
    --end;
  size_t start = end;
  while (start > 0 && isWordCharacter(text[start - 1]))
    --start;
  return text.substr(start, end - start);
}

/// Words that say nothing about how an argument is passed.
bool isQualifier(const std::string &word) {
  static constexpr const char *qualifiers[] = {
      "const",    "__restrict__", "__restrict",
      "restrict", "volatile",     "__grid_constant__"};
  return std::ranges::find(qualifiers, word) != std::end(qualifiers);
}

/// "const float *__restrict__ x" -> {"float *", "x"}.
KernelParameter parseParameter(const std::string &text) {
  std::vector<std::string> words;
  std::string stars, word;
  for (char c : text.substr(0, text.find('=')) + " ") {
    if (isWordCharacter(c) || c == ':' || c == '<' || c == '>') {
      word += c;
      continue;
    }
    if (!word.empty() && !isQualifier(word))
      words.push_back(word);
    word.clear();
    if (c == '*' || c == '&')
      stars += c;
  }
  KernelParameter parameter;
  // A lone word is a type: "float *" or "int" without a name.
  static constexpr const char *types[] = {
      "int",  "unsigned", "long",    "float",    "double", "short",
      "char", "bool",     "int64_t", "uint64_t", "size_t"};
  bool named = words.size() > 1 &&
               std::ranges::find(types, words.back()) == std::end(types);
  if (named) {
    parameter.name = words.back();
    words.pop_back();
  }
  for (const std::string &each : words)
    parameter.type += (parameter.type.empty() ? "" : " ") + each;
  if (!stars.empty())
    parameter.type += " " + stars;
  return parameter;
}

std::vector<KernelParameter> parseParameters(const std::string &text) {
  std::vector<KernelParameter> parameters;
  std::string part;
  int depth = 0;
  for (char c : text + ",") {
    depth += c == '(' || c == '<';
    depth -= c == ')' || c == '>';
    if (c != ',' || depth > 0) {
      part += c;
      continue;
    }
    KernelParameter parameter = parseParameter(part);
    if (!parameter.type.empty() && parameter.type != "void")
      parameters.push_back(parameter);
    part.clear();
  }
  return parameters;
}

} // namespace

std::string withoutComments(std::string source) {
  enum { Code, Line, Block, String, Character } state = Code;
  for (size_t i = 0; i < source.size(); ++i) {
    char c = source[i];
    char next = i + 1 < source.size() ? source[i + 1] : '\0';
    if (state == Code) {
      state = c == '/' && next == '/'   ? Line
              : c == '/' && next == '*' ? Block
              : c == '"'                ? String
              : c == '\'' && (i == 0 || !isWordCharacter(source[i - 1]))
                  ? Character
                  : Code;
      if (state != Code)
        source[i] = ' ';
      continue;
    }
    bool ends = (state == Line && c == '\n') ||
                (state == Block && c == '*' && next == '/') ||
                (state == String && c == '"') ||
                (state == Character && c == '\'');
    if (c != '\n')
      source[i] = ' ';
    if ((state == String || state == Character) && c == '\\' && next != '\n' &&
        next)
      source[++i] = ' ';
    if (ends && state == Block)
      source[++i] = ' ';
    if (ends)
      state = Code;
  }
  return source;
}

std::vector<KernelSignature> findKernels(const std::string &source) {
  static const std::string keyword = "__global__";
  std::string code = withoutComments(source);
  std::vector<KernelSignature> kernels;
  for (size_t at = code.find(keyword); at != std::string::npos;
       at = code.find(keyword, at + 1)) {
    size_t open = code.find('(', at);
    size_t close = open == std::string::npos ? open : closing(code, open);
    if (close != std::string::npos &&
        wordBefore(code, open) == "__launch_bounds__") {
      open = code.find('(', close);
      close = open == std::string::npos ? open : closing(code, open);
    }
    if (close == std::string::npos)
      break;
    KernelSignature kernel;
    kernel.name = wordBefore(code, open);
    kernel.parameters =
        parseParameters(code.substr(open + 1, close - open - 1));
    kernel.line =
        1 + static_cast<size_t>(std::ranges::count(code.substr(0, at), '\n'));
    // A declaration and its definition are one kernel.
    auto same = std::ranges::find(kernels, kernel.name, &KernelSignature::name);
    if (same == kernels.end())
      kernels.push_back(kernel);
  }
  return kernels;
}

} // namespace kclaw
