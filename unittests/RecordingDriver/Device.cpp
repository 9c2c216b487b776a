//===- Device.cpp - One device without arithmetic -------------------------===//
//
// Only what has an answer is listed; the rest succeeds.
//
//===----------------------------------------------------------------------===//
#include "Device.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <string_view>

namespace kclaw::recording {
namespace {

std::atomic<bool> capturing = false;
std::atomic<const void *> waited = &capturing;

/// Handles are never looked into.
template <typename Handle> Handle handle() {
  return reinterpret_cast<Handle>(uintptr_t{1});
}
void *host(CUdeviceptr address) { return reinterpret_cast<void *>(address); }

template <typename Handle> CUresult make(Handle *made) {
  *made = handle<Handle>();
  return CUDA_SUCCESS;
}
template <typename Handle> CUresult makeWithFlags(Handle *made, unsigned) {
  return make(made);
}
CUresult allocate(CUdeviceptr *address, size_t bytes) {
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult release(CUdeviceptr address) {
  std::free(host(address));
  return CUDA_SUCCESS;
}
CUresult upload(CUdeviceptr target, const void *source, size_t bytes) {
  std::memcpy(host(target), source, bytes);
  return CUDA_SUCCESS;
}
CUresult download(void *target, CUdeviceptr source, size_t bytes) {
  std::memcpy(target, host(source), bytes);
  return CUDA_SUCCESS;
}
CUresult uploadAsync(CUdeviceptr target, const void *source, size_t bytes,
                     CUstream) {
  return upload(target, source, bytes);
}
CUresult downloadAsync(void *target, CUdeviceptr source, size_t bytes,
                       CUstream) {
  return download(target, source, bytes);
}
CUresult copy(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream) {
  std::memmove(host(target), host(source), bytes);
  return CUDA_SUCCESS;
}
CUresult fill(CUdeviceptr target, unsigned char value, size_t bytes, CUstream) {
  std::memset(host(target), value, bytes);
  return CUDA_SUCCESS;
}
CUresult countDevices(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult firstDevice(CUdevice *device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult deviceAt(CUdevice *device, int) { return firstDevice(device); }
CUresult deviceName(char *text, int size, CUdevice) {
  std::strncpy(text, "recording driver", size);
  return CUDA_SUCCESS;
}
CUresult attribute(int *value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? 9
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
                                                                   : 1 << 16;
  return CUDA_SUCCESS;
}
CUresult retainContext(CUcontext *context, CUdevice) { return make(context); }
CUresult loadLibrary(CUlibrary *library, const void *, CUjit_option *, void **,
                     unsigned, CUlibraryOption *, void **, unsigned) {
  return make(library);
}
CUresult findKernel(CUkernel *kernel, CUlibrary, const char *) {
  return make(kernel);
}
CUresult errorText(CUresult, const char **text) {
  *text = "an error of the recording driver";
  return CUDA_SUCCESS;
}
CUresult waitFor(CUstream stream) {
  waited = stream;
  return CUDA_SUCCESS;
}
CUresult elapsed(float *milliseconds, CUevent, CUevent) {
  *milliseconds = 1;
  return CUDA_SUCCESS;
}
CUresult beginCapture(CUstream, CUstreamCaptureMode) {
  capturing = true;
  return CUDA_SUCCESS;
}
CUresult endCapture(CUstream, CUgraph *graph) {
  capturing = false;
  return make(graph);
}
CUresult instantiate(CUgraphExec *graph, CUgraph, unsigned long long) {
  return make(graph);
}

struct Answer {
  std::string_view name;
  void *function;
};
template <typename Function> void *code(Function *function) {
  return reinterpret_cast<void *>(function);
}

} // namespace

void *deviceFunction(const char *name) {
  static const Answer answers[] = {
      {"cuGetErrorName", code(errorText)},
      {"cuGetErrorString", code(errorText)},
      {"cuDeviceGet", code(deviceAt)},
      {"cuDeviceGetCount", code(countDevices)},
      {"cuDeviceGetName", code(deviceName)},
      {"cuDeviceGetAttribute", code(attribute)},
      {"cuDevicePrimaryCtxRetain", code(retainContext)},
      {"cuCtxGetCurrent", code(make<CUcontext>)},
      {"cuCtxGetDevice", code(firstDevice)},
      {"cuMemAlloc", code(allocate)},
      {"cuMemFree", code(release)},
      {"cuMemcpyHtoD", code(upload)},
      {"cuMemcpyDtoH", code(download)},
      {"cuMemcpyHtoDAsync", code(uploadAsync)},
      {"cuMemcpyDtoHAsync", code(downloadAsync)},
      {"cuMemcpyDtoDAsync", code(copy)},
      {"cuMemsetD8Async", code(fill)},
      {"cuStreamCreate", code(makeWithFlags<CUstream>)},
      {"cuStreamSynchronize", code(waitFor)},
      {"cuEventCreate", code(makeWithFlags<CUevent>)},
      {"cuEventElapsedTime", code(elapsed)},
      {"cuLibraryLoadData", code(loadLibrary)},
      {"cuLibraryGetKernel", code(findKernel)},
      {"cuStreamBeginCapture", code(beginCapture)},
      {"cuStreamEndCapture", code(endCapture)},
      {"cuGraphInstantiate", code(instantiate)}};
  for (const Answer &answer : answers)
    if (answer.name == name)
      return answer.function;
  return nullptr;
}

const void *waitedStream() { return waited; }

bool allowedNow(const char *name) {
  static const std::string_view captured[] = {
      "cuLaunchKernelEx", "cuMemsetD8Async",    "cuMemcpyDtoDAsync",
      "cuMemcpy2DAsync",  "cuStreamEndCapture", "cuGetErrorName",
      "cuGetErrorString"};
  if (!capturing)
    return true;
  for (std::string_view allowed : captured)
    if (allowed == name)
      return true;
  return false;
}

} // namespace kclaw::recording
