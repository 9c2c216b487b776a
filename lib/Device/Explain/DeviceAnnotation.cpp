//===- DeviceAnnotation.cpp - NVRTC sources for nvcc ----------------------===//
#include "DeviceAnnotation.h"
#include "KernelSignatures.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace kclaw {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Preprocessor lines become spaces too.
std::string codeOf(const std::string &source) {
  std::string code = withoutComments(source);
  for (size_t start = 0; start < code.size();) {
    size_t end = std::min(code.find('\n', start), code.size());
    size_t first = code.find_first_not_of(" \t", start);
    if (first < end && code[first] == '#') {
      while (end < code.size() && end > start && code[end - 1] == '\\')
        end = std::min(code.find('\n', end + 1), code.size());
      for (size_t i = start; i < end; ++i)
        if (code[i] != '\n')
          code[i] = ' ';
    }
    start = end + 1;
  }
  return code;
}

std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text + " ") {
    if (isWord(c))
      word += c;
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  return words;
}

bool hasAny(const std::vector<std::string> &words,
            std::initializer_list<const char *> wanted) {
  return std::ranges::any_of(words, [&wanted](const std::string &word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

/// Walks the scopes and notes where an annotation is due.
class Scanner {
public:
  explicit Scanner(std::string code) : code(std::move(code)) {}

  std::vector<size_t> run() {
    for (size_t i = 0; i < code.size(); ++i)
      step(i);
    return std::move(places);
  }

private:
  enum class Scope { Names, Body, Continued };

  bool inNames() const {
    return scopes.empty() || scopes.back() == Scope::Names;
  }

  void step(size_t &i) {
    char c = code[i];
    if (!inNames()) {
      if (c == '{')
        scopes.push_back(Scope::Body);
      else if (c == '}')
        close();
      return;
    }
    if (std::isspace(static_cast<unsigned char>(c)))
      return;
    if (start == std::string::npos && c != ';' && c != '}') {
      if (skipTemplate(i) || skipAccess(i))
        return;
      start = i;
    }
    if (c == '(' && depth++ == 0 && !hasParen) {
      hasParen = true;
      parenAt = i;
    }
    depth -= c == ')';
    if (depth > 0)
      return;
    if (c == ';')
      finish(i);
    else if (c == '{')
      open(i);
    else if (c == '}')
      close();
  }

  /// At `template`: on to the end of its parameters.
  bool skipTemplate(size_t &i) {
    if (code.compare(i, 8, "template") != 0 || isWord(code[i + 8]))
      return false;
    size_t at = code.find('<', i);
    int angles = 0;
    for (; at < code.size(); ++at) {
      angles += code[at] == '<';
      angles -= code[at] == '>';
      if (angles == 0)
        break;
    }
    i = std::min(at, code.size() - 1);
    return true;
  }

  /// "public:" and the like.
  bool skipAccess(size_t &i) {
    for (const char *word : {"public", "private", "protected"}) {
      std::string text = word;
      if (code.compare(i, text.size(), text) != 0)
        continue;
      size_t colon = code.find_first_not_of(" \t\n", i + text.size());
      if (colon == std::string::npos || code[colon] != ':')
        continue;
      i = colon;
      return true;
    }
    return false;
  }

  void restart() {
    start = std::string::npos;
    hasParen = false;
    depth = 0;
  }

  std::vector<std::string> statementWords(size_t end) const {
    return wordsOf(code.substr(start, end - start));
  }

  /// Functions, and constant tables.
  void annotate(size_t end) {
    auto words = statementWords(end);
    if (words.empty() ||
        hasAny(words, {"__device__", "__global__", "__host__", "__constant__",
                       "__shared__", "__managed__", "using", "typedef",
                       "static_assert", "friend", "enum"}))
      return;
    size_t assigned = code.find('=', start);
    bool isFunction =
        hasParen && (parenAt < assigned ||
                     code.substr(start, parenAt - start).find("operator") !=
                         std::string::npos);
    bool isTable = !isFunction && assigned < end &&
                   hasAny(words, {"const", "constexpr"}) &&
                   code.find('[', start) < assigned && scopes.empty();
    if (isFunction || isTable)
      places.push_back(start);
  }

  void finish(size_t end) {
    if (start != std::string::npos && !continued)
      annotate(end);
    continued = false;
    restart();
  }

  void open(size_t at) {
    auto words = start == std::string::npos ? std::vector<std::string>()
                                            : statementWords(at);
    // "struct alignas(16) A {" has a bracket, too.
    bool isType =
        !words.empty() && hasAny({words[0]}, {"class", "struct", "union"});
    bool isNames = hasAny(words, {"namespace"}) ||
                   (words.size() == 1 && words[0] == "extern");
    bool isFunction = hasParen && !isNames && !isType;
    if (isFunction || (!isType && !isNames))
      annotate(at);
    endsStatement.push_back(isFunction || isNames);
    scopes.push_back(isType || isNames ? Scope::Names : Scope::Body);
    restart();
  }

  void close() {
    if (scopes.empty())
      return;
    bool nested = scopes.size() > endsStatement.size();
    scopes.pop_back();
    if (nested)
      return;
    // "struct A {} x;" and "int a[] = {1};" go on to their semicolon.
    continued = !endsStatement.back();
    endsStatement.pop_back();
    restart();
  }

  std::string code;
  std::vector<Scope> scopes;
  std::vector<bool> endsStatement; ///< of scopes opened from a Names scope
  std::vector<size_t> places;
  size_t start = std::string::npos;
  size_t parenAt = 0;
  int depth = 0;
  bool hasParen = false;
  bool continued = false;
};

} // namespace

std::string annotateForDevice(const std::string &source) {
  std::string text = source;
  std::vector<size_t> places = Scanner(codeOf(source)).run();
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    size_t at = *place;
    // extern "C" comes first.
    if (source.compare(at, 6, "extern") == 0)
      if (size_t quote = source.find('"', at); quote != std::string::npos)
        at = source.find('"', quote + 1) + 1;
    text.insert(at, at == *place ? "__device__ " : " __device__");
  }
  return text;
}

} // namespace kclaw
