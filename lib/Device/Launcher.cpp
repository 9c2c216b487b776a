//===- Launcher.cpp - A scheduler in front of the worker ------------------===//
//
// wordexp is libc's own implementation of the shell's word splitting.
//
//===----------------------------------------------------------------------===//
#include "Launcher.h"
#include "Files.h"

#include <unistd.h>
#include <wordexp.h>

namespace kclaw {

static const char *reason(int code) {
  switch (code) {
  case WRDE_BADCHAR:
    return "one of | & ; < > ( ) { } or a newline stands outside of quotes";
  case WRDE_BADVAL:
    return "a variable is not set";
  case WRDE_CMDSUB:
    return "command substitution is not allowed";
  case WRDE_NOSPACE:
    return "out of memory";
  default:
    return "a quote is not closed";
  }
}

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
  wordexp_t found = {};
  int code = wordexp(text.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (code == 0)
    words.assign(found.we_wordv, found.we_wordv + found.we_wordc);
  if (code == 0 || code == WRDE_NOSPACE)
    wordfree(&found);
  if (code != 0)
    return makeError(Error::Code::Invalid,
                     where + " is not a command line: " + reason(code));
  if (words.empty())
    return makeError(Error::Code::Invalid, where + " names no program");
  if (!isExecutable(words[0]))
    return makeError(Error::Code::Unavailable,
                     where + ": '" + words[0] +
                         "' is no executable here; give its path or put it "
                         "on PATH");
  return words;
}

} // namespace kclaw
