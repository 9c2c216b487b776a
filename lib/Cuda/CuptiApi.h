//===- CuptiApi.h - The table of CUPTI entry points -------------*- C++ -*-===//
//
// Private: its headers are not part of every toolkit, and only the sources that
// are built where they exist include this.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_CUDA_CUPTIAPI_H
#define KERNELCLAW_LIB_CUDA_CUPTIAPI_H

#include "kernelclaw/Support/Error.h"

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

namespace kclaw {

// clang-format off
#define KCLAW_CUPTI_ENTRIES(X)                                                 \
  X(cuptiGetVersion) X(cuptiGetResultString)                                   \
  X(cuptiActivityEnable) X(cuptiActivityDisable)                               \
  X(cuptiActivityRegisterCallbacks) X(cuptiActivityGetNextRecord)              \
  X(cuptiActivityFlushAll)
// The range profiler: CUDA 12.6 and newer.
#define KCLAW_CUPTI_RANGE_ENTRIES(X)                                           \
  X(cuptiProfilerInitialize) X(cuptiProfilerDeInitialize)                      \
  X(cuptiDeviceGetChipName)                                                    \
  X(cuptiProfilerHostInitialize) X(cuptiProfilerHostDeinitialize)              \
  X(cuptiProfilerHostConfigAddMetrics)                                         \
  X(cuptiProfilerHostGetConfigImageSize) X(cuptiProfilerHostGetConfigImage)    \
  X(cuptiProfilerHostGetNumOfPasses) X(cuptiProfilerHostEvaluateToGpuValues)   \
  X(cuptiRangeProfilerEnable) X(cuptiRangeProfilerDisable)                     \
  X(cuptiRangeProfilerSetConfig) X(cuptiRangeProfilerStart)                    \
  X(cuptiRangeProfilerStop) X(cuptiRangeProfilerDecodeData)                    \
  X(cuptiRangeProfilerGetCounterDataSize)                                      \
  X(cuptiRangeProfilerCounterDataImageInitialize)                              \
  X(cuptiRangeProfilerGetCounterDataInfo)
// clang-format on

struct CuptiApi {
#define KCLAW_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  KCLAW_CUPTI_ENTRIES(KCLAW_DECLARE)
  KCLAW_CUPTI_RANGE_ENTRIES(KCLAW_DECLARE)
#undef KCLAW_DECLARE
  std::string path;     ///< real path of the library
  std::string version;  ///< "13.0"
  std::string noRanges; ///< why there is no range profiler; empty: there is

  static const Expected<CuptiApi> &get();

  /// Success, or an error "why: what: CUPTI_ERROR_...".
  Expected<void> check(CUptiResult result, const char *what) const;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_CUDA_CUPTIAPI_H
