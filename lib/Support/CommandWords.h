//===- CommandWords.h - A command line as a shell splits it -----*- C++ -*-===//
//
// wordexp is libc's own implementation of the shell's word splitting. Quotes
// and variables count; no shell is involved.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SUPPORT_COMMANDWORDS_H
#define KERNELCLAW_LIB_SUPPORT_COMMANDWORDS_H

#include "kernelclaw/Support/Error.h"

#include <string>
#include <vector>
#include <wordexp.h>

namespace kclaw {

inline const char *whyNoWords(int code) {
  switch (code) {
  case WRDE_BADCHAR:
    return "one of | & ; < > ( ) { } or a newline stands outside of quotes (no "
           "shell is involved)";
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

/// At least one word. Invalid: `where` and the reason.
inline Expected<std::vector<std::string>>
splitCommandWords(const std::string &text, const std::string &where) {
  wordexp_t found = {};
  int code = wordexp(text.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (code == 0)
    words.assign(found.we_wordv, found.we_wordv + found.we_wordc);
  if (code == 0 || code == WRDE_NOSPACE)
    wordfree(&found);
  if (code != 0)
    return makeError(Error::Code::Invalid,
                     where + " is not a command line: " + whyNoWords(code));
  if (words.empty())
    return makeError(Error::Code::Invalid, where + " names no program");
  return words;
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_SUPPORT_COMMANDWORDS_H
