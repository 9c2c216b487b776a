//===- DriverApi.h - The table of CUDA driver entry points ------*- C++ -*-===//
//
// Each entry point is listed once; the table is filled by dlopen of
// libcuda.so.1 (or the simulated driver), so nothing of CUDA is linked and its
// absence is a normal answer. cuda.h renames its functions to the version that
// its types belong to (cuMemAlloc is cuMemAlloc_v2); the listed names go
// through the same macros, so a symbol always has the type that it is called
// with. Thread-safe after the first load.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_DRIVERAPI_H
#define KERNELCLAW_CUDA_DRIVERAPI_H

#include "kernelclaw/Support/Error.h"

#include <cuda.h>

#include <cstdint>

// Of the step ABI (kcl_steps.h): the simulator runs library steps itself.
struct kcl_call;
struct kcl_convolution_step;
struct kcl_matmul_step;

namespace kclaw {

// clang-format off
#define KCLAW_DRIVER_ENTRIES(X)                                                \
  X(cuInit) X(cuDriverGetVersion) X(cuGetErrorName) X(cuGetErrorString)        \
  X(cuDeviceGet) X(cuDeviceGetCount) X(cuDeviceGetName)                        \
  X(cuDeviceGetAttribute) X(cuDeviceTotalMem) X(cuDeviceGetPCIBusId)           \
  X(cuDevicePrimaryCtxRetain) X(cuDevicePrimaryCtxRelease)                     \
  X(cuCtxSetCurrent) X(cuCtxGetCurrent) X(cuCtxGetDevice)                      \
  X(cuMemGetInfo) X(cuMemAlloc) X(cuMemFree)                                   \
  X(cuMemcpyHtoD) X(cuMemcpyDtoH) X(cuMemcpyDtoDAsync) X(cuMemcpy2DAsync)      \
  X(cuMemsetD8Async) X(cuMemsetD32Async)                                       \
  X(cuStreamCreate) X(cuStreamDestroy) X(cuStreamSynchronize)                  \
  X(cuEventCreate) X(cuEventDestroy) X(cuEventRecord) X(cuEventQuery)          \
  X(cuEventSynchronize) X(cuEventElapsedTime)                                  \
  X(cuLibraryLoadData) X(cuLibraryUnload) X(cuLibraryGetKernel)                \
  X(cuKernelGetAttribute) X(cuKernelSetAttribute)                              \
  X(cuLaunchKernelEx)                                                          \
  X(cuStreamBeginCapture) X(cuStreamEndCapture)                                \
  X(cuGraphInstantiate) X(cuGraphLaunch) X(cuGraphDestroy)                     \
  X(cuGraphExecDestroy)                                                        \
  X(cuLinkCreate) X(cuLinkAddData) X(cuLinkComplete) X(cuLinkDestroy)
// Newer than 12.0, or not offered by every driver: nullptr when missing.
#define KCLAW_DRIVER_OPTIONAL_ENTRIES(X)                                       \
  X(cuKernelGetName) X(cuKernelGetParamInfo) X(cuCtxResetPersistingL2Cache)    \
  X(cuTensorMapEncodeTiled) X(cuDeviceGetUuid)                              \
  X(cuMemAddressReserve) X(cuMemAddressFree) X(cuMemCreate) X(cuMemRelease)    \
  X(cuMemMap) X(cuMemUnmap) X(cuMemSetAccess) X(cuMemGetAllocationGranularity)
// clang-format on

/// What the simulated driver offers beside (Control.cpp, Counters.cpp
/// of lib/SimCuda/Driver);
/// all null with another driver.
struct SimulatorApi {
  int (*version)() = nullptr;
  int (*setChecks)(int on) = nullptr;
  uint64_t (*setBudget)(uint64_t warpInstructions) = nullptr;
  uint64_t (*instructions)() = nullptr;
  void (*flushCaches)() = nullptr;
  CUresult (*forget)(CUdeviceptr address, size_t bytes) = nullptr;
  size_t (*lastReport)(char *buffer, size_t bytes) = nullptr;
  const char *(*counter)(size_t index) = nullptr;
  uint64_t (*launches)() = nullptr;
  size_t (*counts)(uint64_t launch, double *values, size_t capacity) = nullptr;
  int32_t (*matmul)(const kcl_matmul_step *step, kcl_call *call) = nullptr;
  int32_t (*convolution)(const kcl_convolution_step *step,
                         kcl_call *call) = nullptr;
};

struct DriverApi {
#define KCLAW_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  KCLAW_DRIVER_ENTRIES(KCLAW_DECLARE)
  KCLAW_DRIVER_OPTIONAL_ENTRIES(KCLAW_DECLARE)
#undef KCLAW_DECLARE
  SimulatorApi simulator;

  /// Whether kernels run on a simulated device: the driver itself says so.
  bool isSimulated() const { return simulator.version != nullptr; }
  /// The simulator's text on its last fault; empty with another driver.
  std::string faultReport() const;

  /// The process's table, loaded and cuInit'ed at the first call. The library
  /// is the environment's KERNELCLAW_CUDA_DRIVER when set, else libcuda.so.1;
  /// tools decide by DriverChoice.h before.
  static const Expected<DriverApi> &get();

  /// "CUDA_ERROR_INVALID_VALUE (invalid argument)"
  std::string errorText(CUresult result) const;
  /// Success, or an error "what: CUDA_ERROR_... (...)".
  Expected<void> check(CUresult result, const std::string &what) const;
};

/// Opens the driver (the library that KERNELCLAW_CUDA_DRIVER names, when set)
/// and fills a table from it, without cuInit: quick, starts nothing on a
/// device.
Expected<DriverApi> loadDriverApi();

} // namespace kclaw

#endif // KERNELCLAW_CUDA_DRIVERAPI_H
