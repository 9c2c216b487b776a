//===- Device.h - The devices that can be simulated -------------*- C++ -*-===//
//
// Public facts of each device, from the data sheets and the compute-capability
// tables of the CUDA programming guide. `estimated` names the members that are
// not published and were chosen to be plausible.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_MODEL_DEVICE_H
#define KERNELCLAW_LIB_SIMCUDA_MODEL_DEVICE_H

#include <cstdint>
#include <span>
#include <string_view>

namespace kclaw::sim {

struct DeviceModel {
  const char *key;  ///< "sm_90a": the value of KERNELCLAW_SIM_DEVICE
  const char *chip; ///< "H200": accepted as well
  const char *name; ///< what cuDeviceGetName says
  int major, minor;
  int smCount;
  int clockKilohertz, memoryClockKilohertz, memoryBusBits;
  uint64_t memoryBytes;
  int l2Bytes, persistingL2Bytes;
  int sharedBytesPerSm, sharedBytesOptin; ///< of a block, opt-in
  int threadsPerSm, blocksPerSm;
  int pciDevice; ///< device id on the bus, as PCI says it
  bool clusters; ///< thread block clusters and TMA
  double memoryBytesPerNanosecond;
  double hostBytesPerNanosecond; ///< copies to and from the host
  double launchNanoseconds;
  const char *estimated;
};

std::span<const DeviceModel> deviceModels();
/// By key or chip, case-sensitive; null: unknown.
const DeviceModel *findDeviceModel(std::string_view name);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_MODEL_DEVICE_H
