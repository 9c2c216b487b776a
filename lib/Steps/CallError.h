//===- CallError.h - Errors of a step into the call -------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_STEPS_CALLERROR_H
#define KERNELCLAW_LIB_STEPS_CALLERROR_H

#include "kernelclaw/Cuda/DriverApi.h"
#include "kernelclaw/Steps/kcl_steps.h"

namespace kclaw {

/// Writes "what: CUDA_ERROR_... (...)" into the call; the status to return.
int32_t reportDriverError(const DriverApi &api, CUresult result,
                          const std::string &what, kcl_call *call);
/// Writes `text`, cut at the call's space; returns `status`.
int32_t reportError(kcl_status status, const std::string &text, kcl_call *call);

/// The driver's table, or nullptr with the reason in the call.
const DriverApi *driver(kcl_call *call);

/// Makes device 0's primary context current on a thread that has none.
CUresult ensureContext(const DriverApi &api);

inline CUstream streamOf(const kcl_call *call) {
  return static_cast<CUstream>(call ? call->stream : nullptr);
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_STEPS_CALLERROR_H
