//===- FakeDriver.cpp - What the fake driver writes down ------------------===//
//
// Device memory is host memory. `fakeDriverLog` gives the calls since the last
// question, separated by spaces.
//
//===----------------------------------------------------------------------===//
#include <cuda.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace {
std::string calls;

CUresult note(const std::string &call) {
  calls += (calls.empty() ? "" : " ") + call;
  return CUDA_SUCCESS;
}
} // namespace

extern "C" {

const char *fakeDriverLog() {
  static std::string answer;
  answer = std::exchange(calls, {});
  return answer.c_str();
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = reinterpret_cast<CUcontext>(&calls);
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *memory, size_t bytes) {
  *memory = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
  return note("alloc");
}

CUresult cuMemFree(CUdeviceptr memory) {
  std::free(reinterpret_cast<void *>(memory));
  return note("free");
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return note("upload");
}

CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream) {
  return note("memset");
}

CUresult cuStreamSynchronize(CUstream stream) {
  return note(stream ? "wait-stream" : "wait");
}

} // extern "C"
