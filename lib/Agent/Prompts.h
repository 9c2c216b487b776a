//===- Prompts.h - Prompt files with {{placeholders}} -----------*- C++ -*-===//
//
// Private. The texts are data under memorybank/prompts; an unknown placeholder
// is an error that names the file.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_PROMPTS_H
#define KERNELCLAW_LIB_AGENT_PROMPTS_H

#include "kernelclaw/Support/Error.h"

#include <map>
#include <string>

namespace kclaw {

using PromptValues = std::map<std::string, std::string>;

/// One pass: text that was filled in is never searched for placeholders.
Expected<std::string> fillPrompt(const std::string &text,
                                 const PromptValues &values);

/// The files of the folder and of those in it, by their path from there:
/// "planner.md", "tools/compile.md", "schemas/planner.json".
struct Prompts {
  std::map<std::string, std::string> files;

  static Expected<Prompts> load(const std::string &directory);
  /// Errors name the file.
  Expected<std::string> text(const std::string &file) const;
  Expected<std::string> fill(const std::string &file,
                             const PromptValues &values) const;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_PROMPTS_H
