//===- ClawComments.cpp - The lines "// claw: ..." of a source ------------===//
#include "ClawComments.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace kclaw {
namespace {

constexpr const char *words[] = {
    "kernel", "grid",    "block",    "cluster",    "shared",    "cooperative",
    "args",   "memset",  "value",    "offset",     "bytes",     "workspace",
    "values", "tunable", "requires", "constraint", "resizable", "title"};

std::string trimmed(const std::string &text) {
  size_t first = text.find_first_not_of(" \t\r,;");
  if (first == std::string::npos)
    return "";
  return text.substr(first, text.find_last_not_of(" \t\r,;") - first + 1);
}

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string knownWords() {
  std::string text;
  for (const char *word : words)
    text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

/// A word and where its value begins.
struct Key {
  std::string word;
  size_t start, valueStart;
};

/// `word =` (not `==`) outside of parentheses, and words that stand alone.
std::vector<Key> findKeys(const std::string &text) {
  std::vector<Key> keys;
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    bool starts =
        depth == 0 && isWordCharacter(text[i]) &&
        (i == 0 || std::string(" \t,;").find(text[i - 1]) != std::string::npos);
    if (!starts) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && isWordCharacter(text[end]))
      ++end;
    std::string word = text.substr(i, end - i);
    size_t next = text.find_first_not_of(" \t", end);
    bool assigned = next != std::string::npos && text[next] == '=' &&
                    (next + 1 >= text.size() || text[next + 1] != '=');
    bool alone = word == "resizable" || word == "cooperative";
    if (assigned)
      keys.push_back({word, i, next + 1});
    else if (alone)
      keys.push_back({word, i, end});
    else if (keys.empty()) // only a value may be a bare word
      keys.push_back({word, i, end});
    i = end;
    // A title is the rest of its line.
    if (assigned && word == "title")
      break;
  }
  return keys;
}

Expected<ClawComment> parse(const std::string &text, size_t line,
                            const std::string &file) {
  ClawComment comment;
  comment.line = line;
  std::vector<Key> keys = findKeys(text);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (std::ranges::find(words, keys[i].word) == std::end(words))
      return makeError(Error::Code::Invalid,
                       file + ":" + std::to_string(line) + ": unknown word '" +
                           keys[i].word + "'; known: " + knownWords());
    size_t end = i + 1 < keys.size() ? keys[i + 1].start : text.size();
    comment.values[keys[i].word] =
        trimmed(text.substr(keys[i].valueStart, end - keys[i].valueStart));
  }
  return comment;
}

/// The text behind "//", or nothing.
bool commentText(const std::string &line, std::string &text) {
  size_t slashes = line.find_first_not_of(" \t");
  if (slashes == std::string::npos || line.compare(slashes, 2, "//") != 0)
    return false;
  text = line.substr(slashes + 2);
  return true;
}

} // namespace

Expected<std::vector<ClawComment>> findClawComments(const std::string &source,
                                                    const std::string &file) {
  static const std::string mark = "claw:";
  std::vector<ClawComment> comments;
  std::istringstream lines(source);
  std::string line, text, pending;
  size_t start = 0;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    bool isComment = commentText(line, text);
    bool goesOn = !pending.empty();
    if (!isComment && !goesOn)
      continue;
    size_t at = isComment ? text.find_first_not_of(" \t") : std::string::npos;
    bool marked =
        at != std::string::npos && text.compare(at, mark.size(), mark) == 0;
    if (!marked && !goesOn)
      continue;
    if (!goesOn)
      start = number;
    std::string part =
        isComment ? marked ? text.substr(at + mark.size()) : text : "";
    while (!part.empty() &&
           std::isspace(static_cast<unsigned char>(part.back())))
      part.pop_back();
    bool more = isComment && !part.empty() &&
                (part.back() == ',' || part.back() == '\\');
    if (!part.empty() && part.back() == '\\')
      part.pop_back();
    pending += " " + part;
    if (more)
      continue;
    auto comment = parse(pending, start, file);
    if (!comment)
      return std::unexpected(comment.error());
    comments.push_back(std::move(*comment));
    pending.clear();
  }
  return comments;
}

std::vector<std::string> splitList(const std::string &text) {
  std::vector<std::string> parts;
  if (trimmed(text).empty())
    return parts;
  std::string part;
  int depth = 0;
  for (char c : text + ",") {
    depth += c == '(';
    depth -= c == ')';
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  // "grid=(rows, cols)" is a list in parentheses.
  if (parts.size() == 1 && parts[0].size() > 2 && parts[0].front() == '(' &&
      parts[0].back() == ')') {
    std::string inner = parts[0].substr(1, parts[0].size() - 2);
    int level = 0;
    bool oneBracket = true;
    for (char c : inner) {
      level += c == '(';
      level -= c == ')';
      oneBracket &= level >= 0;
    }
    if (oneBracket)
      return splitList(inner);
  }
  return parts;
}

} // namespace kclaw
