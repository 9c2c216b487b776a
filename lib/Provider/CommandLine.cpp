//===- CommandLine.cpp - A program's words and variables ------------------===//
#include "CommandLine.h"

#include "Support/CommandWords.h"

#include <algorithm>
#include <cctype>
#include <string_view>

extern char **environ;

namespace kclaw {

Expected<std::vector<std::string>> splitCommand(const std::string &text) {
  return splitCommandWords(text, "command '" + text + "'");
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
