//===- SelftestFiles.h - The self-test's plans as text ----------*- C++ -*-===//
//
// The files of problems/ and plans/, embedded when the worker is built: it
// runs alone. Their form: docs/selftest.md.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTFILES_H
#define KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTFILES_H

#include <span>

namespace kclaw {

struct SelftestFile {
  const char *path; ///< below lib/Device/Selftest: "plans/cheat/NAME.cu"
  const char *text;
};

/// In the order of their paths.
std::span<const SelftestFile> selftestFiles();

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTFILES_H
