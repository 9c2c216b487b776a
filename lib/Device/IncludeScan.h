//===- IncludeScan.h - Includes that a candidate may not have ---*- C++ -*-===//
//
// Finds `#include`s of absolute paths or of paths with "..". It runs before
// every compile, so that the model gets one short sentence instead of a log.
// `strict` (no Landlock) also refuses what a scan cannot follow: computed
// includes and directives that are broken by comments.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_INCLUDESCAN_H
#define KERNELCLAW_LIB_DEVICE_INCLUDESCAN_H

#include <string>

namespace kclaw {

/// Empty, or why the source is refused.
std::string scanIncludes(const std::string &source, bool strict);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_INCLUDESCAN_H
