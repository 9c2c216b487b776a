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
  namespace fs = std::filesystem;
  Prompts prompts;
  std::error_code code;
  fs::recursive_directory_iterator it(directory, code), end;
  for (; !code && it != end; it.increment(code)) {
    std::string extension = it->path().extension();
    if (!it->is_regular_file(code) ||
        (extension != ".md" && extension != ".json"))
      continue;
    auto read = readFile(it->path());
    if (!read)
      return std::unexpected(read.error().context("prompts"));
    prompts.files[it->path().lexically_relative(directory).generic_string()] =
        std::move(*read);
  }
  if (code)
    return makeError(Error::Code::Io, "prompts: reading folder '" + directory +
                                          "' failed: " + code.message());
  return prompts;
}

Expected<std::string> Prompts::text(const std::string &file) const {
  auto found = files.find(file);
  if (found == files.end())
    return makeError(Error::Code::Io,
                     "prompts: there is no file '" + file + "'");
  return found->second;
}

Expected<std::string> Prompts::fill(const std::string &file,
                                    const PromptValues &values) const {
  auto found = text(file);
  if (!found)
    return found;
  auto filled = fillPrompt(*found, values);
  if (!filled) // a damaged installation, not a model's mistake
    return makeError(Error::Code::Io,
                     "prompt " + file + ": " + filled.error().message);
  return filled;
}

} // namespace kclaw
