//===- IncludeScan.cpp - Includes that a candidate may not have -----------===//
//
// Conservative: comments and strings are not followed, since a raw string can
// desynchronise any short lexer; a directive inside a comment is judged too.
//
//===----------------------------------------------------------------------===//
#include "IncludeScan.h"

#include <string_view>
#include <vector>

namespace kclaw {

static std::string joinSplices(const std::string &source) {
  std::string joined;
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r')
      continue;
    bool splice = source[i] == '\\' && (source.compare(i + 1, 1, "\n") == 0 ||
                                        source.compare(i + 1, 2, "\r\n") == 0);
    if (splice)
      i += source[i + 1] == '\r' ? 2 : 1;
    else
      joined += source[i];
  }
  return joined;
}

/// Skips blanks and closed comments; npos when a comment stays open.
static size_t skipBlanks(std::string_view line, size_t at) {
  for (;;) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t'))
      ++at;
    if (line.substr(at, 2) != "/*")
      return at;
    size_t close = line.find("*/", at + 2);
    if (close == std::string_view::npos)
      return close;
    at = close + 2;
  }
}

static std::string judgeTarget(std::string_view rest, bool strict) {
  char open = rest.empty() ? 0 : rest.front();
  if (open != '"' && open != '<')
    return strict ? "a computed #include is not allowed" : "";
  size_t close = rest.find(open == '<' ? '>' : '"', 1);
  std::string_view path =
      rest.substr(1, close == rest.npos ? close : close - 1);
  if (path.starts_with("/") || path.find("..") != path.npos)
    return "#include of '" + std::string(path) +
           "' is refused: only headers below the include roots may be named, "
           "without '..' and not by an absolute path";
  return "";
}

static std::string judgeDirective(std::string_view line, size_t at,
                                  bool strict) {
  at = skipBlanks(line, at);
  if (at == std::string_view::npos)
    return strict ? "a directive broken by a comment is not allowed" : "";
  for (std::string_view word : {"include_next", "include", "import", "embed"})
    if (line.substr(at, word.size()) == word) {
      size_t target = skipBlanks(line, at + word.size());
      if (target == std::string_view::npos)
        return strict ? "a directive broken by a comment is not allowed" : "";
      return judgeTarget(line.substr(target), strict);
    }
  return "";
}

std::string scanIncludes(const std::string &source, bool strict) {
  std::string text = joinSplices(source);
  for (size_t start = 0; start < text.size();) {
    size_t end = text.find('\n', start);
    if (end == std::string::npos)
      end = text.size();
    std::string_view line(text.data() + start, end - start);
    for (size_t i = 0; i < line.size(); ++i)
      for (std::string_view hash : {"#", "%:", "?\?="})
        if (line.substr(i, hash.size()) == hash)
          if (std::string why = judgeDirective(line, i + hash.size(), strict);
              !why.empty())
            return why;
    start = end + 1;
  }
  return "";
}

} // namespace kclaw
