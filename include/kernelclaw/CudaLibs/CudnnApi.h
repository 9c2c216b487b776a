//===- CudnnApi.h - The table of cuDNN entry points -------------*- C++ -*-===//
//
// Filled by dlopen: nothing of cuDNN is linked, and its absence is a normal
// answer. Found through KERNELCLAW_CUDNN, the loader's path, a CUDA toolkit, or
// NVIDIA's nvidia-cudnn-cu13 wheel. cuDNN itself opens cuBLASLt and NVRTC by
// name, so those that we find are opened before it. The graph API is called by
// cudnn-frontend, which takes `library`. Thread-safe after the first load.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDALIBS_CUDNNAPI_H
#define KERNELCLAW_CUDALIBS_CUDNNAPI_H

#include "kernelclaw/Support/Error.h"

#include <cudnn.h>

namespace kclaw {

// clang-format off
#define KCLAW_CUDNN_ENTRIES(X)                                                 \
  X(cudnnAddTensor)                                                            \
  X(cudnnCreate)                                                               \
  X(cudnnCreateTensorDescriptor)                                               \
  X(cudnnDestroy)                                                              \
  X(cudnnDestroyTensorDescriptor)                                              \
  X(cudnnGetErrorString)                                                       \
  X(cudnnGetVersion)                                                           \
  X(cudnnSetStream)                                                            \
  X(cudnnSetTensorNdDescriptor)
// clang-format on

struct CudnnApi {
#define KCLAW_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  KCLAW_CUDNN_ENTRIES(KCLAW_DECLARE)
#undef KCLAW_DECLARE

  void *library = nullptr; ///< dlopen's handle, never closed
  std::string path;        ///< real path of the library
  size_t version = 0;      ///< 91900: 9.19.0

  static const Expected<CudnnApi> &get();
};

} // namespace kclaw

#endif // KERNELCLAW_CUDALIBS_CUDNNAPI_H
