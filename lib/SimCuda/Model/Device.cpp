//===- Device.cpp ---------------------------------------------------------===//
#include "Device.h"

namespace kclaw::sim {

static constexpr DeviceModel models[] = {
    {.key = "sm_90a",
     .chip = "H200",
     .name = "NVIDIA H200 (KernelClaw simulator)",
     .major = 9,
     .minor = 0,
     .smCount = 132,
     .clockKilohertz = 1980000,
     .memoryClockKilohertz = 3201000,
     .memoryBusBits = 6144,
     .memoryBytes = 150754820096,
     .l2Bytes = 62914560,
     .persistingL2Bytes = 39321600,
     .sharedBytesPerSm = 233472,
     .sharedBytesOptin = 232448,
     .threadsPerSm = 2048,
     .blocksPerSm = 32,
     .pciDevice = 0,
     .clusters = true,
     .l2Share = 0.6,
     .l1Bytes = 262144,
     .lanesPerCycle = {96, 128, 128, 64, 16, 64, 0, 32, 32, 32, 32, 0, 0, 0, 0},
     .tensorRate = {128, 1024, 2048, 4096},
     .mmaShare = 0.5,
     .memoryBytesPerNanosecond = 4800,
     .hostBytesPerNanosecond = 55,
     .launchNanoseconds = 3000,
     .estimated = "persistingL2Bytes l2Share mmaShare hostBytesPerNanosecond "
                  "launchNanoseconds"},
    {.key = "sm_80",
     .chip = "A100",
     .name = "NVIDIA A100-SXM4-80GB (KernelClaw simulator)",
     .major = 8,
     .minor = 0,
     .smCount = 108,
     .clockKilohertz = 1410000,
     .memoryClockKilohertz = 1593000,
     .memoryBusBits = 5120,
     .memoryBytes = uint64_t(80) << 30,
     .l2Bytes = 41943040,
     .persistingL2Bytes = 31457280,
     .sharedBytesPerSm = 167936,
     .sharedBytesOptin = 166912,
     .threadsPerSm = 2048,
     .blocksPerSm = 32,
     .pciDevice = 0,
     .clusters = false,
     .l2Share = 0.6,
     .l1Bytes = 196608,
     .lanesPerCycle = {96, 128, 64, 32, 16, 64, 0, 32, 32, 32, 32, 0, 0, 0, 0},
     .tensorRate = {64, 512, 1024, 2048},
     .mmaShare = 1,
     .memoryBytesPerNanosecond = 2039,
     .hostBytesPerNanosecond = 25,
     .launchNanoseconds = 3000,
     .estimated = "persistingL2Bytes l2Share mmaShare hostBytesPerNanosecond "
                  "launchNanoseconds"},
};

std::span<const DeviceModel> deviceModels() { return models; }

const DeviceModel *findDeviceModel(std::string_view name) {
  for (const DeviceModel &model : models)
    if (name == model.key || name == model.chip)
      return &model;
  return nullptr;
}

} // namespace kclaw::sim
