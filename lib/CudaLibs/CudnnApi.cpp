//===- CudnnApi.cpp - Filling the cuDNN table -----------------------------===//
#include "kernelclaw/CudaLibs/CudnnApi.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Cuda/SearchPaths.h"
#include "kernelclaw/CudaLibs/CublasLtApi.h"

namespace kclaw {

static Expected<CudnnApi> load() {
  // Their absence is noticed by the engines that need them.
  (void)CublasLtApi::get();
  (void)NvrtcApi::get();
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "cuDNN", cudaLibraryCandidates("KERNELCLAW_CUDNN", {"libcudnn.so.9"}),
      "install cuDNN 9 or NVIDIA's nvidia-cudnn-cu13 wheel, or name the "
      "library in KERNELCLAW_CUDNN");
  if (!library)
    return std::unexpected(library.error());
  CudnnApi api;
  api.path = library->path();
  api.library = library->native();
  std::string missing;
#define KCLAW_FILL(NAME)                                                       \
  if (!library->fill(api.NAME, #NAME))                                         \
    missing += " " #NAME;
  KCLAW_CUDNN_ENTRIES(KCLAW_FILL)
#undef KCLAW_FILL
  if (!missing.empty())
    return makeError(Error::Code::Unavailable,
                     api.path + " is not a usable cuDNN, it lacks:" + missing);
  api.version = api.cudnnGetVersion();
  return api;
}

const Expected<CudnnApi> &CudnnApi::get() {
  static const Expected<CudnnApi> api = load();
  return api;
}

} // namespace kclaw
