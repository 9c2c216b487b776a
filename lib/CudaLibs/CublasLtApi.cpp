//===- CublasLtApi.cpp - Filling the cuBLASLt table -----------------------===//
#include "kernelclaw/CudaLibs/CublasLtApi.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"
#include "kernelclaw/Cuda/SearchPaths.h"

namespace kclaw {

static Expected<CublasLtApi> load() {
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "cuBLASLt",
      cudaLibraryCandidates("KERNELCLAW_CUBLASLT",
                            {"libcublasLt.so.13", "libcublasLt.so.12"}),
      "install a CUDA toolkit or NVIDIA's nvidia-cublas wheel, or name the "
      "library in KERNELCLAW_CUBLASLT");
  if (!library)
    return std::unexpected(library.error());
  CublasLtApi api;
  api.path = library->path();
  std::string missing;
#define KCLAW_FILL(NAME)                                                       \
  if (!library->fill(api.NAME, #NAME))                                         \
    missing += " " #NAME;
  KCLAW_CUBLASLT_ENTRIES(KCLAW_FILL)
#undef KCLAW_FILL
  if (!missing.empty())
    return makeError(Error::Code::Unavailable,
                     api.path +
                         " is not a usable cuBLASLt, it lacks:" + missing);
  api.version = api.cublasLtGetVersion();
  return api;
}

const Expected<CublasLtApi> &CublasLtApi::get() {
  static const Expected<CublasLtApi> api = load();
  return api;
}

} // namespace kclaw
