//===- CommandLine.cpp - A program's words and variables ------------------===//
//
// wordexp is libc's own implementation of the shell's word splitting.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <wordexp.h>

extern char **environ;

namespace kclaw {

Expected<std::vector<std::string>> splitCommand(const std::string &text) {
  wordexp_t found = {};
  int code = wordexp(text.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (code == 0)
    words.assign(found.we_wordv, found.we_wordv + found.we_wordc);
  if (code == 0 || code == WRDE_NOSPACE)
    wordfree(&found);
  std::string where = "command '" + text + "'";
  if (code == WRDE_BADVAL)
    return makeError(Error::Code::Invalid, where + ": a variable is not set");
  if (code != 0)
    return makeError(Error::Code::Invalid,
                     where + " is not a program with arguments: a quote is not "
                             "closed, or one of | & ; < > ( ) { } stands "
                             "outside of quotes (no shell is involved)");
  if (words.empty())
    return makeError(Error::Code::Invalid, where + " names no program");
  return words;
}

std::vector<std::string>
environmentWithoutKeys(const std::vector<std::string> &passed) {
  constexpr const char *secretWords[] = {"KEY", "TOKEN", "SECRET", "PASSWORD",
                                         "CREDENTIAL"};
  std::vector<std::string> entries;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    std::string name(text.substr(0, text.find('=')));
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(),
                           [](unsigned char c) { return std::toupper(c); });
    bool secret = std::ranges::any_of(secretWords, [&upper](const char *word) {
      return upper.find(word) != std::string::npos;
    });
    if (!secret || std::ranges::find(passed, name) != passed.end())
      entries.emplace_back(text);
  }
  return entries;
}

} // namespace kclaw
