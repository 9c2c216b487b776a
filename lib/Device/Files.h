//===- Files.h - Whole files, and names of files ----------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_FILES_H
#define KERNELCLAW_LIB_DEVICE_FILES_H

#include "Support/Files.h"
#include "kernelclaw/Plan/Job.h"

namespace kclaw {

/// The folders of PATH, in order.
std::vector<std::string> pathFolders();

/// "<id>-<16 hex digits of spec, candidate and architecture>.json", with
/// characters that file names do not like replaced: the same question has the
/// same name in every run.
std::string jobFileName(const Job &job);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_FILES_H
