//===- ElfFile.h - Whether an ELF file is whole -----------------*- C++ -*-===//
//
// dlopen maps what the headers promise and dies of SIGBUS where the file ends
// before that; a copy that broke off must be an error instead.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_ELFFILE_H
#define KERNELCLAW_TOOLS_RUN_ELFFILE_H

#include "kernelclaw/Support/Error.h"

namespace kclaw {

/// An error when the file is shorter than its headers say. Reads the header and
/// the program headers only; files of another class or byte order pass, dlopen
/// refuses those by itself.
Expected<void> checkElfSize(const std::string &path);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_ELFFILE_H
