//===- Files.h - Reading the memory bank's files ----------------*- C++ -*-===//
//
// Whole files and folder listings, with errors that name the path.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_FILES_H
#define KERNELCLAW_LIB_EXPERT_FILES_H

#include "kernelclaw/Support/Error.h"

#include <string>
#include <vector>

namespace kclaw::expert {

Expected<std::string> readFile(const std::string &path);
/// Paths in `folder` that end in `suffix`, sorted.
Expected<std::vector<std::string>> listFiles(const std::string &folder,
                                             const std::string &suffix);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_FILES_H
