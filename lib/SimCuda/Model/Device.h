//===- Device.h - The devices that can be simulated -------------*- C++ -*-===//
//
// Public facts of each device, from the data sheets and the compute-capability
// tables of the CUDA programming guide. `estimated` names the members that are
// not published and were chosen to be plausible.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_MODEL_DEVICE_H
#define KERNELCLAW_LIB_SIMCUDA_MODEL_DEVICE_H

#include <array>
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
  /// Of l2Bytes, what a working set that all multiprocessors read can use: each
  /// half of the L2 keeps its own copy.
  double l2Share;
  int l1Bytes; ///< of a multiprocessor, shared memory included
  /// Lanes that a multiprocessor serves in a cycle, by InstClass, as in the
  /// programming guide's table of arithmetic throughput; 0: no limit of its
  /// own.
  std::array<uint16_t, 15> lanesPerCycle;
  /// Multiply-adds of a multiprocessor's tensor cores in a cycle, dense, by
  /// TensorKind; of them, the share that mma.sync reaches.
  std::array<uint16_t, 4> tensorRate;
  double mmaShare;
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
