//===- NvFatbinApi.cpp - Filling the nvFatbin table -----------------------===//
#include "kernelclaw/Cuda/NvFatbinApi.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"
#include "kernelclaw/Cuda/SearchPaths.h"

namespace kclaw {

static Expected<NvFatbinApi> load() {
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "nvFatbin",
      cudaLibraryCandidates("KERNELCLAW_NVFATBIN",
                            {"libnvfatbin.so.13", "libnvfatbin.so.12"}),
      "install a CUDA toolkit or NVIDIA's nvidia-nvfatbin wheel, or name the "
      "library in KERNELCLAW_NVFATBIN");
  if (!library)
    return std::unexpected(library.error());
  NvFatbinApi api;
  api.path = library->path();
  std::string missing;
#define KCLAW_FILL(NAME)                                                       \
  if (!library->fill(api.NAME, #NAME))                                         \
    missing += " " #NAME;
  KCLAW_FILL(nvFatbinCreate)
  KCLAW_FILL(nvFatbinDestroy)
  KCLAW_FILL(nvFatbinAddPTX)
  KCLAW_FILL(nvFatbinAddCubin)
  KCLAW_FILL(nvFatbinSize)
  KCLAW_FILL(nvFatbinGet)
  KCLAW_FILL(nvFatbinVersion)
  KCLAW_FILL(nvFatbinGetErrorString)
#undef KCLAW_FILL
  if (!missing.empty())
    return makeError(Error::Code::Unavailable,
                     api.path + " is not a usable nvFatbin, it lacks:" +
                         missing + "; one of CUDA 12.4 or newer is needed");
  unsigned major = 0;
  unsigned minor = 0;
  if (api.nvFatbinVersion(&major, &minor) != 0)
    return makeError(Error::Code::Unavailable,
                     api.path + ": nvFatbinVersion failed");
  api.version = std::to_string(major) + "." + std::to_string(minor);
  return api;
}

const Expected<NvFatbinApi> &NvFatbinApi::get() {
  static const Expected<NvFatbinApi> api = load();
  return api;
}

} // namespace kclaw
