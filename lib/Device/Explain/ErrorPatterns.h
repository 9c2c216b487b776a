//===- ErrorPatterns.h - Where wrong elements cluster -----------*- C++ -*-===//
//
// Pure: which elements of a result are wrong, and what that looks like. Shapes
// are row-major. The detectors stand in one table in the .cpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_ERRORPATTERNS_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_ERRORPATTERNS_H

#include "kernelclaw/Plan/Explanation.h"

namespace kclaw {

/// Threads of a block of one of the candidate's kernels.
struct LaunchShape {
  std::string kernel;
  int64_t blockThreads = 0;
};

struct ErrorMap {
  std::vector<int64_t> shape;
  int64_t count = 0;            ///< elements, the product of `shape`
  std::vector<int64_t> indices; ///< of wrong elements, flat, rising
  std::vector<LaunchShape> launches;
};

/// What is found, most telling first; "scattered" when nothing else is. Empty
/// when nothing is wrong.
std::vector<ErrorPattern> findPatterns(const ErrorMap &map);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_ERRORPATTERNS_H
