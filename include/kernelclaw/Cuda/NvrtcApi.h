//===- NvrtcApi.h - The table of NVRTC entry points -------------*- C++ -*-===//
//
// NVRTC compiles CUDA C++ without a GPU. Found through the environment's
// KERNELCLAW_NVRTC, the loader's path, a CUDA toolkit, or NVIDIA's PyPI wheels.
// `findIncludeRoots` finds the headers that kernels may include.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_NVRTCAPI_H
#define KERNELCLAW_CUDA_NVRTCAPI_H

#include "kernelclaw/Support/Error.h"

#include <nvrtc.h>

#include <vector>

namespace kclaw {

// clang-format off
#define KCLAW_NVRTC_ENTRIES(X)                                                 \
  X(nvrtcVersion) X(nvrtcGetErrorString) X(nvrtcCreateProgram)                 \
  X(nvrtcDestroyProgram) X(nvrtcCompileProgram)                                \
  X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog)                              \
  X(nvrtcGetPTXSize) X(nvrtcGetPTX) X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN)
// clang-format on

struct NvrtcApi {
#define KCLAW_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  KCLAW_NVRTC_ENTRIES(KCLAW_DECLARE)
#undef KCLAW_DECLARE
  std::string path;    ///< real path of the library
  std::string version; ///< "13.0"

  static const Expected<NvrtcApi> &get();
};

/// Folders that kernels may include from: KERNELCLAW_INCLUDE_ROOTS
/// (colon-separated), the toolkit's include and include/cccl, the PyPI wheels'
/// include folders. Existing ones only, real paths, no duplicates.
std::vector<std::string> findIncludeRoots();

/// Toolkit roots in order: KERNELCLAW_CUDA_ROOT, CUDA_HOME, CUDA_PATH,
/// /usr/local/cuda.
std::vector<std::string> cudaRoots();

} // namespace kclaw

#endif // KERNELCLAW_CUDA_NVRTCAPI_H
