//===- Cupti.h - What CUPTI sees of kernels ---------------------*- C++ -*-===//
//
// Times of single kernels (activity records) and hardware counters of single
// kernels (range profiler). CUPTI is opened at the first call of either and
// watches nothing outside of these calls. Found through the environment's
// KERNELCLAW_CUPTI, the loader's path, a CUDA toolkit, or NVIDIA's PyPI wheels.
// One thread at a time; a context must be current.
//
// Errors begin with why: "absent", "no permission", "busy", "not supported" or
// "failed", and a colon. An error of the observed work is passed on as it is.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_CUPTI_H
#define KERNELCLAW_CUDA_CUPTI_H

#include "kernelclaw/Support/Error.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kclaw {

/// What is being observed: enqueues, waits, and may fail.
using ObservedWork = std::function<Expected<void>()>;

/// One kernel that ran.
struct KernelRecord {
  std::string name; ///< mangled
  uint64_t startNanoseconds = 0;
  uint64_t endNanoseconds = 0;
  std::array<int64_t, 3> grid = {0, 0, 0};
  std::array<int64_t, 3> block = {0, 0, 0};
  int registers = 0;
  int64_t staticSharedBytes = 0;
  int64_t dynamicSharedBytes = 0;
  int64_t localBytes = 0; ///< per thread
};

/// The kernels that `work` ran, by start. `work` must wait for them.
Expected<std::vector<KernelRecord>> traceKernels(const ObservedWork &work);

struct RangeCounts {
  std::string chip; ///< "GH100"
  int passes = 0;
  std::vector<std::string> missing; ///< metrics unknown to this CUPTI and chip
  /// [kernel][metric as asked]; NaN where missing or undefined.
  std::vector<std::vector<double>> values;
};

/// Counts over each kernel of `work`, which is run once a pass (at least once,
/// `passes` times): it must launch the same kernels each time, at most
/// `maxKernels`. `before` runs before each pass, unobserved.
Expected<RangeCounts> countKernels(const std::vector<std::string> &metrics,
                                   size_t maxKernels,
                                   const ObservedWork &before,
                                   const ObservedWork &work);

/// The number of passes that the metrics would take on a chip ("GH100"), and
/// which it does not know. Needs CUPTI, but no device.
struct MetricCost {
  int passes = 0;
  std::vector<std::string> missing;
};
Expected<MetricCost> costOfMetrics(const std::vector<std::string> &metrics,
                                   const std::string &chip);

/// "13.0", of the library that was opened.
Expected<std::string> cuptiVersion();

} // namespace kclaw

#endif // KERNELCLAW_CUDA_CUPTI_H
