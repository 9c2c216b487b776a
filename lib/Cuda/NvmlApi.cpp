//===- NvmlApi.cpp - Reading the SM clock ---------------------------------===//
#include "kernelclaw/Cuda/NvmlApi.h"
#include "kernelclaw/Cuda/DynamicLibrary.h"

namespace kclaw {
namespace {

// From nvml.h: results are ints with 0 for success; handles are pointers;
// clock type 1 is NVML_CLOCK_SM.
constexpr unsigned clockSm = 1;
struct Nvml {
  int (*init)() = nullptr;
  int (*deviceByPciBusId)(const char *, void **) = nullptr;
  int (*clockInfo)(void *, unsigned, unsigned *) = nullptr;
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
  return nvml;
}

} // namespace

double readSmClockMHz(const std::string &pciBusId) {
  static const Nvml nvml = load();
  void *device = nullptr;
  unsigned clock = 0;
  if (!nvml.ready || nvml.deviceByPciBusId(pciBusId.c_str(), &device) != 0 ||
      nvml.clockInfo(device, clockSm, &clock) != 0)
    return 0;
  return clock;
}

} // namespace kclaw
