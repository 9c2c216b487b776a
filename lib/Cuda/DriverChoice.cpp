//===- DriverChoice.cpp - NVIDIA's driver or the simulated one ------------===//
//
// The simulator lies beside the program or library that holds this code, or in
// lib/ next to the program's folder: true of the build tree and of an install.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Cuda/DriverChoice.h"

#include "kernelclaw/Cuda/DriverApi.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>
#include <vector>

namespace kclaw {

static std::string namedDriver() {
  const char *named = std::getenv(driverVariable);
  return named ? named : "";
}

static std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/'));
}

static std::vector<std::string> simulatorCandidates() {
  std::vector<std::string> paths;
  auto beside = [&paths](const std::string &folder) {
    for (const char *step : {"/../lib/", "/"})
      paths.push_back(folder + step + simulatorLibrary);
  };
  char path[PATH_MAX];
  Dl_info here;
  if (dladdr(reinterpret_cast<void *>(&simulatorCandidates), &here) &&
      here.dli_fname && realpath(here.dli_fname, path))
    beside(folderOf(path));
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length > 0)
    beside(folderOf(std::string(path, static_cast<size_t>(length))));
  return paths;
}

static bool isSimulator(const DynamicLibrary &library) {
  return library.symbol("kclSimVersion") != nullptr;
}

static Expected<DriverChoice> chooseSimulator() {
  std::string named = namedDriver();
  std::vector<std::string> paths =
      named.empty() ? simulatorCandidates() : std::vector<std::string>{named};
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "the simulated CUDA driver", paths,
      std::string("build the target kernelclaw_simcuda, or name the library "
                  "in ") +
          driverVariable);
  if (!library)
    return std::unexpected(library.error());
  if (!isSimulator(*library))
    return makeError(Error::Code::Unavailable,
                     "device 'sim': " + std::string(driverVariable) +
                         " names '" + named +
                         "', which is not the simulated driver; unset it or "
                         "name " +
                         simulatorLibrary);
  return DriverChoice{library->path(), true};
}

/// What the device cuda means here, and whether the library is a simulator.
static DriverChoice chooseNamed() {
  DriverChoice choice{namedDriver(), false};
  if (choice.library.empty())
    return choice;
  if (Expected<DriverApi> api = loadDriverApi())
    choice.simulated = api->isSimulated();
  return choice;
}

static bool hasDevice(const DriverApi &api) {
  int count = 0;
  return api.cuInit(0) == CUDA_SUCCESS &&
         api.cuDeviceGetCount(&count) == CUDA_SUCCESS && count > 0;
}

Expected<DriverChoice> chooseDriver(const std::string &device) {
  if (device == "cuda")
    return chooseNamed();
  if (device == "sim")
    return chooseSimulator();
  if (device != "auto")
    return makeError(Error::Code::Invalid, "unknown device '" + device +
                                               "'; accepted: cuda, sim, auto");
  if (Expected<DriverApi> api = loadDriverApi(); api && hasDevice(*api))
    return DriverChoice{namedDriver(), api->isSimulated()};
  return chooseSimulator();
}

Expected<DriverChoice> decideDriver(const std::string &device) {
  Expected<DriverChoice> choice = chooseDriver(device);
  if (choice && !choice->library.empty())
    setenv(driverVariable, choice->library.c_str(), /*overwrite=*/1);
  return choice;
}

} // namespace kclaw
