//===- CublasLtApi.h - The table of cuBLASLt entry points -------*- C++ -*-===//
//
// Filled by dlopen: nothing of cuBLASLt is linked, and its absence is a normal
// answer. Found through KERNELCLAW_CUBLASLT, the loader's path, a CUDA toolkit,
// or NVIDIA's nvidia-cublas wheel. Thread-safe after the first load.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDALIBS_CUBLASLTAPI_H
#define KERNELCLAW_CUDALIBS_CUBLASLTAPI_H

#include "kernelclaw/Support/Error.h"

#include <cublasLt.h>

namespace kclaw {

// clang-format off
#define KCLAW_CUBLASLT_ENTRIES(X)                                              \
  X(cublasLtCreate)                                                            \
  X(cublasLtDestroy)                                                           \
  X(cublasLtGetVersion)                                                        \
  X(cublasLtGetStatusString)                                                   \
  X(cublasLtMatmul)                                                            \
  X(cublasLtMatmulAlgoConfigGetAttribute)                                      \
  X(cublasLtMatmulAlgoGetHeuristic)                                            \
  X(cublasLtMatmulDescInit_internal)                                           \
  X(cublasLtMatmulDescSetAttribute)                                            \
  X(cublasLtMatmulPreferenceInit_internal)                                     \
  X(cublasLtMatmulPreferenceSetAttribute)                                      \
  X(cublasLtMatrixLayoutInit_internal)                                         \
  X(cublasLtMatrixLayoutSetAttribute)
// clang-format on

struct CublasLtApi {
#define KCLAW_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  KCLAW_CUBLASLT_ENTRIES(KCLAW_DECLARE)
#undef KCLAW_DECLARE

  std::string path;   ///< real path of the library
  size_t version = 0; ///< 130100: 13.1.0

  static const Expected<CublasLtApi> &get();
};

} // namespace kclaw

#endif // KERNELCLAW_CUDALIBS_CUBLASLTAPI_H
