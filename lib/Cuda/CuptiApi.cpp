//===- CuptiApi.cpp - Filling the CUPTI table -----------------------------===//
#include "CuptiApi.h"
#include "kernelclaw/Cuda/Cupti.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"
#include "kernelclaw/Cuda/SearchPaths.h"

namespace kclaw {

namespace {
struct Reason {
  CUptiResult result;
  const char *why;
};
constexpr Reason reasons[] = {
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "no permission"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "no permission"},
    {CUPTI_ERROR_HARDWARE_BUSY, "busy"},
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "busy"},
    {CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, "busy"},
    {CUPTI_ERROR_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "not supported"},
    {CUPTI_ERROR_INVALID_CHIP_NAME, "not supported"},
};

constexpr Reason hints[] = {
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,
     "; counters are for administrators here: run as root, or load the driver "
     "with NVreg_RestrictProfilingToAdminUsers=0"},
    {CUPTI_ERROR_HARDWARE_BUSY, "; another profiler uses the counters"},
};
} // namespace

/// Why a call failed, in words that stand at the front of its error.
static const char *whyNot(CUptiResult result) {
  for (const Reason &row : reasons)
    if (row.result == result)
      return row.why;
  return "failed";
}

Expected<void> CuptiApi::check(CUptiResult result, const char *what) const {
  if (result == CUPTI_SUCCESS)
    return {};
  const char *text = nullptr;
  if (cuptiGetResultString(result, &text) != CUPTI_SUCCESS || !text)
    text = "unknown error";
  std::string hint;
  for (const Reason &row : hints)
    if (row.result == result)
      hint = row.why;
  return makeError(Error::Code::Unavailable,
                   std::string(whyNot(result)) + ": " + what + ": " + text +
                       " (" + std::to_string(result) + ")" + hint);
}

/// "13.0" of CUPTI_API_VERSION 130001; older ones count from 1: "API 24".
static std::string versionText(uint32_t version) {
  if (version < 100000)
    return "API " + std::to_string(version);
  return std::to_string(version / 10000) + "." +
         std::to_string(version % 10000 / 100);
}

static Expected<CuptiApi> load() {
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "CUPTI",
      cudaLibraryCandidates("KERNELCLAW_CUPTI",
                            {"libcupti.so.13", "libcupti.so.12"}),
      "install a CUDA toolkit or NVIDIA's nvidia-cuda-cupti wheel, or name the "
      "library in KERNELCLAW_CUPTI");
  if (!library)
    return makeError(Error::Code::Unavailable,
                     "absent: " + library.error().message);
  CuptiApi api;
  api.path = library->path();
  std::string missing;
#define KCLAW_FILL(NAME)                                                       \
  if (!library->fill(api.NAME, #NAME))                                         \
    missing += " " #NAME;
  KCLAW_CUPTI_ENTRIES(KCLAW_FILL)
  if (!missing.empty())
    return makeError(Error::Code::Unavailable,
                     "absent: " + api.path +
                         " is not a usable CUPTI, it lacks:" + missing);
  KCLAW_CUPTI_RANGE_ENTRIES(KCLAW_FILL)
#undef KCLAW_FILL
  if (!missing.empty())
    api.noRanges = "absent: " + api.path +
                   " has no range profiler, it lacks:" + missing +
                   "; one of CUDA 12.6 or newer is needed";
  uint32_t version = 0;
  if (auto ok = api.check(api.cuptiGetVersion(&version), "cuptiGetVersion");
      !ok)
    return std::unexpected(ok.error());
  api.version = versionText(version);
  return api;
}

const Expected<CuptiApi> &CuptiApi::get() {
  static const Expected<CuptiApi> api = load();
  return api;
}

Expected<std::string> cuptiVersion() {
  const Expected<CuptiApi> &api = CuptiApi::get();
  if (!api)
    return std::unexpected(api.error());
  return api->version;
}

} // namespace kclaw
