//===- CallError.cpp - Errors of a step into the call ---------------------===//
#include "CallError.h"

#include <cstdio>

namespace kclaw {

int32_t reportError(kcl_status status, const std::string &text,
                    kcl_call *call) {
  if (call)
    std::snprintf(call->error, sizeof call->error, "%s", text.c_str());
  return status;
}

int32_t reportDriverError(const DriverApi &api, CUresult result,
                          const std::string &what, kcl_call *call) {
  kcl_status status =
      result == CUDA_ERROR_OUT_OF_MEMORY ? KCL_NO_MEMORY : KCL_DEVICE_ERROR;
  return reportError(status, what + ": " + api.errorText(result), call);
}

const DriverApi *driver(kcl_call *call) {
  const Expected<DriverApi> &api = DriverApi::get();
  if (api)
    return &*api;
  reportError(KCL_UNAVAILABLE, api.error().message, call);
  return nullptr;
}

CUresult ensureContext(const DriverApi &api) {
  CUcontext context = nullptr;
  CUresult result = api.cuCtxGetCurrent(&context);
  if (result != CUDA_SUCCESS || context)
    return result;
  // Retained once a process and never released: module handles outlive calls.
  static const CUcontext primary = [&api]() -> CUcontext {
    CUdevice device = 0;
    CUcontext retained = nullptr;
    if (api.cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
        api.cuDevicePrimaryCtxRetain(&retained, device) != CUDA_SUCCESS)
      return nullptr;
    return retained;
  }();
  return primary ? api.cuCtxSetCurrent(primary) : CUDA_ERROR_INVALID_CONTEXT;
}

} // namespace kclaw
