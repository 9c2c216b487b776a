//===- SelftestFolder.h - Plans of a folder, in the same form ---*- C++ -*-===//
//
// What --selftest --plans DIR judges instead of the embedded plans: all .cu
// files below DIR but those of problems/. DIR/problems/ adds problems to the
// embedded ones.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTFOLDER_H
#define KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTFOLDER_H

#include "SelftestFiles.h"
#include "kernelclaw/Support/Error.h"

#include <deque>
#include <string>
#include <vector>

namespace kclaw {

/// Owns what its table points to; moving keeps the addresses.
struct SelftestFolder {
  std::deque<std::string> texts;
  std::vector<SelftestFile> files;
};

/// Paths as of embedded files: NAME.cu, NAME/example.cu and sub/NAME.cu become
/// plans/honest/NAME.cu, what lies below a folder cheat plans/cheat/NAME.cu.
/// Embedded problems come after those of the folder. Invalid: there is no plan.
Expected<SelftestFolder> readSelftestFolder(const std::string &folder);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTFOLDER_H
