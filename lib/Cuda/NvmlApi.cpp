//===- NvmlApi.cpp - Reading SM clock and energy --------------------------===//
#include "kernelclaw/Cuda/NvmlApi.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"

namespace kclaw {
namespace {

// From nvml.h: results are ints with 0 for success; handles are pointers;
// clock type 1 is NVML_CLOCK_SM; energy is in millijoules.
constexpr unsigned clockSm = 1;
struct Nvml {
  int (*init)() = nullptr;
  int (*deviceByPciBusId)(const char *, void **) = nullptr;
  int (*clockInfo)(void *, unsigned, unsigned *) = nullptr;
  int (*totalEnergy)(void *, unsigned long long *) = nullptr; ///< may be absent
  const char *(*errorString)(int) = nullptr;                  ///< may be absent
  bool ready = false;
};

Nvml load() {
  Nvml nvml;
  auto library = DynamicLibrary::open(
      "NVML",
      {"libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1"}, "");
  if (!library)
    return nvml;
  nvml.ready = library->fill(nvml.init, "nvmlInit_v2") &&
               library->fill(nvml.deviceByPciBusId,
                             "nvmlDeviceGetHandleByPciBusId_v2") &&
               library->fill(nvml.clockInfo, "nvmlDeviceGetClockInfo") &&
               nvml.init() == 0;
  library->fill(nvml.totalEnergy, "nvmlDeviceGetTotalEnergyConsumption");
  library->fill(nvml.errorString, "nvmlErrorString");
  return nvml;
}

const Nvml &nvml() {
  static const Nvml loaded = load();
  return loaded;
}

} // namespace

double readSmClockMHz(const std::string &pciBusId) {
  void *device = nullptr;
  unsigned clock = 0;
  if (!nvml().ready ||
      nvml().deviceByPciBusId(pciBusId.c_str(), &device) != 0 ||
      nvml().clockInfo(device, clockSm, &clock) != 0)
    return 0;
  return clock;
}

Expected<double> readEnergyJoules(const std::string &pciBusId) {
  if (!nvml().ready || !nvml().totalEnergy)
    return makeError(Error::Code::Unavailable,
                     "NVML is absent or knows no energy counter");
  void *device = nullptr;
  unsigned long long millijoules = 0;
  int failed = nvml().deviceByPciBusId(pciBusId.c_str(), &device);
  if (!failed)
    failed = nvml().totalEnergy(device, &millijoules);
  if (failed)
    return makeError(Error::Code::Unavailable,
                     "NVML reads no energy of device " + pciBusId + ": " +
                         (nvml().errorString
                              ? nvml().errorString(failed)
                              : "error " + std::to_string(failed)));
  return static_cast<double>(millijoules) / 1e3;
}

} // namespace kclaw
