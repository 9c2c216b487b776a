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

static std::vector<std::string> deviceNames(const DriverApi &api) {
  std::vector<std::string> names;
  int count = 0;
  if (api.cuInit(0) != CUDA_SUCCESS ||
      api.cuDeviceGetCount(&count) != CUDA_SUCCESS)
    return names;
  for (int i = 0; i < count; ++i) {
    char name[256] = {};
    CUdevice device = 0;
    if (api.cuDeviceGet(&device, i) == CUDA_SUCCESS)
      (void)api.cuDeviceGetName(name, sizeof name - 1, device);
    names.push_back(name);
  }
  return names;
}

static Expected<DriverSurvey> surveySimulator() {
  Expected<DriverChoice> choice = chooseSimulator();
  if (!choice)
    return std::unexpected(choice.error());
  return DriverSurvey{*choice, {}};
}

Expected<DriverSurvey> surveyDriver(const std::string &device) {
  if (device == "sim")
    return surveySimulator();
  if (device != "cuda" && device != "auto")
    return makeError(Error::Code::Invalid, "unknown device '" + device +
                                               "'; accepted: cuda, sim, auto");
  Expected<DriverApi> api = loadDriverApi();
  DriverSurvey survey;
  if (api) {
    survey.choice = {namedDriver(), api->isSimulated()};
    if (!survey.choice.simulated)
      survey.devices = deviceNames(*api);
  }
  bool usable = api && (survey.choice.simulated || !survey.devices.empty());
  if (device == "auto" && !usable)
    return surveySimulator();
  if (!api)
    return std::unexpected(api.error());
  return survey;
}

Expected<DriverChoice> chooseDriver(const std::string &device) {
  if (device == "cuda")
    return chooseNamed();
  Expected<DriverSurvey> survey = surveyDriver(device);
  if (!survey)
    return std::unexpected(survey.error());
  return survey->choice;
}

Expected<DriverChoice> decideDriver(const std::string &device) {
  Expected<DriverChoice> choice = chooseDriver(device);
  if (choice && !choice->library.empty())
    setenv(driverVariable, choice->library.c_str(), /*overwrite=*/1);
  return choice;
}

} // namespace kclaw
