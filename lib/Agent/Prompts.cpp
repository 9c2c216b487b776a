//===- Prompts.cpp - Prompt files with {{placeholders}} -------------------===//
#include "Prompts.h"

#include "Support/Files.h"

namespace kclaw {

Expected<std::string> fillPrompt(const std::string &text,
                                 const PromptValues &values) {
  std::string result;
  size_t at = 0;
  for (size_t open; (open = text.find("{{", at)) != std::string::npos;) {
    size_t close = text.find("}}", open);
    if (close == std::string::npos)
      return makeError(Error::Code::Invalid, "a placeholder never closes");
    std::string name = text.substr(open + 2, close - open - 2);
    auto value = values.find(name);
    if (value == values.end()) {
      std::string known;
      for (const auto &[each, ignored] : values)
        known += (known.empty() ? "" : ", ") + each;
      return makeError(Error::Code::Invalid,
                       "unknown placeholder '" + name + "'; known: " + known);
    }
    result += text.substr(at, open - at) + value->second;
    at = close + 2;
  }
  return result + text.substr(at);
}

Expected<Prompts> Prompts::load(const std::string &directory) {
  Prompts prompts;
  const std::pair<const char *, std::string *> files[] = {
      {"system.md", &prompts.system},
      {"generate.md", &prompts.generate},
      {"repair.md", &prompts.repair},
      {"optimize.md", &prompts.optimize}};
  for (const auto &[name, text] : files) {
    auto read = readFile(directory + "/" + name);
    if (!read)
      return std::unexpected(read.error().context("prompts"));
    *text = std::move(*read);
  }
  return prompts;
}

} // namespace kclaw
