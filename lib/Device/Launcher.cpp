//===- Launcher.cpp - A scheduler in front of the worker ------------------===//
#include "Launcher.h"
#include "Files.h"
#include "Support/CommandWords.h"

#include <unistd.h>

namespace kclaw {

static bool isExecutable(const std::string &program) {
  if (program.find('/') != std::string::npos)
    return access(program.c_str(), X_OK) == 0;
  for (const std::string &folder : pathFolders())
    if (access((folder + "/" + program).c_str(), X_OK) == 0)
      return true;
  return false;
}

Expected<std::vector<std::string>> parseLauncher(const std::string &text) {
  std::string where = "launcher '" + text + "'";
  auto words = splitCommandWords(text, where);
  if (!words)
    return words;
  if (!isExecutable(words->front()))
    return makeError(Error::Code::Unavailable,
                     where + ": '" + words->front() +
                         "' is no executable here; give its path or put it "
                         "on PATH");
  return words;
}

} // namespace kclaw
