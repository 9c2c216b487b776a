//===- NvrtcApi.cpp - Filling the NVRTC table -----------------------------===//
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"
#include "kernelclaw/Cuda/SearchPaths.h"

#include <dlfcn.h>

namespace kclaw {

/// NVRTC opens its builtins lazily, when a sandbox may forbid it: open them
/// now, under the name that it will ask for.
static void openBuiltins(const NvrtcApi &api) {
  std::string folder = api.path.substr(0, api.path.rfind('/'));
  std::string file = folder + "/libnvrtc-builtins.so." + api.version;
  (void)dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
}

static Expected<NvrtcApi> load() {
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "NVRTC",
      cudaLibraryCandidates("KERNELCLAW_NVRTC",
                            {"libnvrtc.so.13", "libnvrtc.so.12"}),
      "install a CUDA toolkit or NVIDIA's nvidia-cuda-nvrtc wheel, or name "
      "the library in KERNELCLAW_NVRTC");
  if (!library)
    return std::unexpected(library.error());
  NvrtcApi api;
  api.path = library->path();
  std::string missing;
#define KCLAW_FILL(NAME)                                                       \
  if (!library->fill(api.NAME, #NAME))                                         \
    missing += " " #NAME;
  KCLAW_NVRTC_ENTRIES(KCLAW_FILL)
#undef KCLAW_FILL
  if (!missing.empty())
    return makeError(Error::Code::Unavailable,
                     api.path + " is not a usable NVRTC, it lacks:" + missing);
  int major = 0;
  int minor = 0;
  if (api.nvrtcVersion(&major, &minor) != NVRTC_SUCCESS)
    return makeError(Error::Code::Unavailable,
                     api.path + ": nvrtcVersion failed");
  api.version = std::to_string(major) + "." + std::to_string(minor);
  openBuiltins(api);
  return api;
}

const Expected<NvrtcApi> &NvrtcApi::get() {
  static const Expected<NvrtcApi> api = load();
  return api;
}

} // namespace kclaw
