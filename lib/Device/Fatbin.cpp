//===- Fatbin.cpp - Cubin and PTX in one object ---------------------------===//
#include "Fatbin.h"
#include "kernelclaw/Cuda/NvFatbinApi.h"

namespace kclaw {

namespace {
/// Destroys the handle on every path.
struct HandleGuard {
  const NvFatbinApi &api;
  NvFatbinApi::Handle handle = nullptr;
  ~HandleGuard() {
    if (handle)
      (void)api.nvFatbinDestroy(&handle);
  }
};
} // namespace

/// "90a" of "sm_90a".
static std::string archNumber(const std::string &arch) {
  size_t underscore = arch.find('_');
  return underscore == std::string::npos ? arch : arch.substr(underscore + 1);
}

/// "sm_90" of the line ".target sm_90, texmode_independent"; empty without.
static std::string targetOf(const std::string &ptx) {
  constexpr std::string_view directive = ".target ";
  size_t start = ptx.find(directive);
  if (start == std::string::npos)
    return {};
  start = ptx.find_first_not_of(' ', start + directive.size());
  if (start == std::string::npos)
    return {};
  return ptx.substr(start, ptx.find_first_of(" ,\t\r\n", start) - start);
}

Expected<std::vector<uint8_t>> makeFatbin(const ModuleImage &image) {
  const Expected<NvFatbinApi> &api = NvFatbinApi::get();
  if (!api)
    return std::unexpected(api.error());
  const char *name = image.module.c_str();
  HandleGuard guard{*api};
  const char *options[] = {"-64", "-cuda"};
  NvFatbinApi::Result result = api->nvFatbinCreate(&guard.handle, options, 2);
  if (result == 0)
    result = api->nvFatbinAddCubin(guard.handle, image.cubin.data(),
                                   image.cubin.size(),
                                   archNumber(image.arch).c_str(), name);
  std::string target = targetOf(image.ptx);
  if (result == 0 && !target.empty() && !target.ends_with('a'))
    result = api->nvFatbinAddPTX(guard.handle, image.ptx.c_str(),
                                 image.ptx.size() + 1,
                                 archNumber(target).c_str(), name, nullptr);
  size_t size = 0;
  if (result == 0)
    result = api->nvFatbinSize(guard.handle, &size);
  std::vector<uint8_t> fatbin(size);
  if (result == 0)
    result = api->nvFatbinGet(guard.handle, fatbin.data());
  if (result == 0)
    return fatbin;
  const char *why = api->nvFatbinGetErrorString(result);
  return makeError(Error::Code::Unavailable,
                   "no fatbin of module '" + image.module + "' for " +
                       image.arch + ": " + (why ? why : "unknown reason") +
                       " (nvFatbin " + api->version + ")");
}

void addFatbins(std::vector<ModuleImage> &images) {
  for (ModuleImage &image : images) {
    if (image.cubin.empty() || !image.fatbin.empty())
      continue;
    if (Expected<std::vector<uint8_t>> fatbin = makeFatbin(image))
      image.fatbin = std::move(*fatbin);
  }
}

} // namespace kclaw
