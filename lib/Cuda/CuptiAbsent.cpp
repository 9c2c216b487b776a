//===- CuptiAbsent.cpp - A build without CUPTI's headers ------------------===//
#include "kernelclaw/Cuda/Cupti.h"

namespace kclaw {

static std::unexpected<Error> absent() {
  return makeError(Error::Code::Unavailable,
                   "absent: built without CUPTI headers; build again with a "
                   "CUDA toolkit of 12.6 or newer that has "
                   "include/cupti_range_profiler.h");
}

Expected<std::vector<KernelRecord>> traceKernels(const ObservedWork &) {
  return absent();
}

Expected<RangeCounts> countKernels(const std::vector<std::string> &, size_t,
                                   const ObservedWork &, const ObservedWork &) {
  return absent();
}

Expected<MetricCost> costOfMetrics(const std::vector<std::string> &,
                                   const std::string &) {
  return absent();
}

Expected<std::string> cuptiVersion() { return absent(); }

} // namespace kclaw
