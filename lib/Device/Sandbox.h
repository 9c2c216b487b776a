//===- Sandbox.h - A process that can read only some folders ----*- C++ -*-===//
//
// Landlock where the kernel has it (5.13 and newer): no file outside the given
// folders can be opened, none can be written, by this process for good. Without
// it the source is scanned instead (IncludeScan.h) and says so.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_SANDBOX_H
#define KERNELCLAW_LIB_DEVICE_SANDBOX_H

#include <string>
#include <vector>

namespace kclaw {

/// True when the kernel now enforces it.
bool restrictFilesTo(const std::vector<std::string> &readableFolders);

/// Caps address space, processor seconds and file size of this process.
void limitResources(double seconds);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SANDBOX_H
