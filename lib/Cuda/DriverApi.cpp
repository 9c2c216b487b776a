//===- DriverApi.cpp - Filling the driver table ---------------------------===//
#include "kernelclaw/Cuda/DriverApi.h"
#include "kernelclaw/Cuda/DriverChoice.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"

#include <cstdlib>

namespace kclaw {

// Two levels, so that cuda.h's versioned names reach the string.
#define KCLAW_TEXT(NAME) #NAME
#define KCLAW_SYMBOL(NAME) KCLAW_TEXT(NAME)

/// Entry points whose signature did not change with the version suffix: an
/// older driver that has only the plain name will do.
static const char *plainName(const std::string &symbol) {
  return symbol == "cuEventElapsedTime_v2" ? "cuEventElapsedTime" : nullptr;
}

static void *find(const DynamicLibrary &library, const char *symbol) {
  if (void *address = library.symbol(symbol))
    return address;
  const char *plain = plainName(symbol);
  return plain ? library.symbol(plain) : nullptr;
}

/// Adds to `missing` what a simulator of another version lacks.
static void fillSimulator(SimulatorApi &api, const DynamicLibrary &library,
                          std::string &missing) {
  auto fill = [&](auto &entry, const char *symbol) {
    if (!library.fill(entry, symbol) && api.version)
      missing += std::string(" ") + symbol;
  };
  fill(api.version, "kclSimVersion");
  fill(api.setChecks, "kclSimSetChecks");
  fill(api.setBudget, "kclSimSetBudget");
  fill(api.instructions, "kclSimInstructions");
  fill(api.flushCaches, "kclSimFlushCaches");
  fill(api.forget, "kclSimForget");
  fill(api.lastReport, "kclSimLastReport");
  fill(api.counter, "kclSimCounter");
  fill(api.launches, "kclSimLaunches");
  fill(api.counts, "kclSimCounts");
  fill(api.matmul, "kclSimMatmul");
  fill(api.convolution, "kclSimConvolution");
}

Expected<DriverApi> loadDriverApi() {
  std::vector<std::string> paths;
  const char *named = std::getenv(driverVariable);
  if (named && *named)
    paths = {named};
  else
    paths = {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1",
             "/usr/lib/wsl/lib/libcuda.so.1"};
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "the CUDA driver", paths,
      "install NVIDIA's driver, name another library in "
      "KERNELCLAW_CUDA_DRIVER, or use the simulated driver (device=sim)");
  if (!library)
    return std::unexpected(library.error());
  DriverApi api;
  std::string missing;
#define KCLAW_FILL(NAME)                                                       \
  api.NAME = reinterpret_cast<decltype(api.NAME)>(                             \
      find(*library, KCLAW_SYMBOL(NAME)));                                     \
  if (!api.NAME)                                                               \
    missing += " " KCLAW_SYMBOL(NAME);
  KCLAW_DRIVER_ENTRIES(KCLAW_FILL)
#undef KCLAW_FILL
#define KCLAW_FILL(NAME)                                                       \
  api.NAME = reinterpret_cast<decltype(api.NAME)>(                             \
      find(*library, KCLAW_SYMBOL(NAME)));
  KCLAW_DRIVER_OPTIONAL_ENTRIES(KCLAW_FILL)
#undef KCLAW_FILL
  fillSimulator(api.simulator, *library, missing);
  if (!missing.empty())
    return makeError(Error::Code::Unavailable,
                     "the CUDA driver " + library->path() +
                         " is too old, it lacks:" + missing +
                         "; a driver of CUDA 12.0 or newer is needed");
  return api;
}

static Expected<DriverApi> loadAndInitialise() {
  Expected<DriverApi> api = loadDriverApi();
  if (!api)
    return api;
  CUresult result = api->cuInit(0);
  if (result != CUDA_SUCCESS)
    return makeError(Error::Code::Unavailable,
                     "the CUDA driver was found but cuInit failed: " +
                         api->errorText(result) +
                         "; check that a GPU is present and visible");
  return api;
}

const Expected<DriverApi> &DriverApi::get() {
  static const Expected<DriverApi> api = loadAndInitialise();
  return api;
}

std::string DriverApi::faultReport() const {
  if (!isSimulated())
    return "";
  std::string text(simulator.lastReport(nullptr, 0) + 1, '\0');
  text.resize(simulator.lastReport(text.data(), text.size()));
  return text;
}

std::string DriverApi::errorText(CUresult result) const {
  const char *name = nullptr;
  const char *text = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
    return "driver error " + std::to_string(static_cast<int>(result));
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "no description";
  return std::string(name) + " (" + text + ")";
}

Expected<void> DriverApi::check(CUresult result,
                                const std::string &what) const {
  if (result == CUDA_SUCCESS)
    return {};
  Error::Code code = result == CUDA_ERROR_OUT_OF_MEMORY
                         ? Error::Code::Budget
                         : Error::Code::Unavailable;
  return makeError(code, what + ": " + errorText(result));
}

} // namespace kclaw
