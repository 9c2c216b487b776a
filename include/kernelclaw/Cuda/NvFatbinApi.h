//===- NvFatbinApi.h - The table of nvFatbin entry points -------*- C++ -*-===//
//
// nvFatbin (CUDA 12.4 and newer) puts cubin and PTX into one fatbin without a
// GPU. Optional: it is not part of every toolkit, so a process without it goes
// on with cubins. Found through KERNELCLAW_NVFATBIN, the loader's path, a CUDA
// toolkit, or NVIDIA's PyPI wheels. Its header is not part of every toolkit
// either: the entry points are declared here, as in nvFatbin.h of 12.9, 13.0
// and 13.5, which agree on them. Thread-safe: one handle a thread.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_NVFATBINAPI_H
#define KERNELCLAW_CUDA_NVFATBINAPI_H

#include "kernelclaw/Support/Error.h"

#include <cstddef>

namespace kclaw {

struct NvFatbinApi {
  using Handle = struct _nvFatbinHandle *;
  using Result = int; ///< 0: success

  Result (*nvFatbinCreate)(Handle *handle, const char **options,
                           size_t optionsCount) = nullptr;
  Result (*nvFatbinDestroy)(Handle *handle) = nullptr;
  /// `arch` is the number of an architecture: "90a". `size` counts the NUL.
  Result (*nvFatbinAddPTX)(Handle handle, const char *code, size_t size,
                           const char *arch, const char *identifier,
                           const char *optionsCmdLine) = nullptr;
  Result (*nvFatbinAddCubin)(Handle handle, const void *code, size_t size,
                             const char *arch,
                             const char *identifier) = nullptr;
  Result (*nvFatbinSize)(Handle handle, size_t *size) = nullptr;
  Result (*nvFatbinGet)(Handle handle, void *buffer) = nullptr;
  Result (*nvFatbinVersion)(unsigned *major, unsigned *minor) = nullptr;
  const char *(*nvFatbinGetErrorString)(Result result) = nullptr;

  std::string path;    ///< real path of the library
  std::string version; ///< "13.0"

  static const Expected<NvFatbinApi> &get();
};

} // namespace kclaw

#endif // KERNELCLAW_CUDA_NVFATBINAPI_H
