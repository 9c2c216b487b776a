//===- DeviceIdentity.h - Which device a time was taken on ------*- C++ -*-===//
//
// A time belongs to the device that it was taken on. Two of the same model
// differ by several percent (silicon, cooling, power), as do two drivers on one
// device, so times are compared only where uuid and driver are the same.
// Candidate and stock are always measured together, so their ratio, the
// speedup, may be compared across devices.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_DEVICEIDENTITY_H
#define KERNELCLAW_PLAN_DEVICEIDENTITY_H

#include <string>
#include <vector>

namespace kclaw {

struct Evaluation;

struct DeviceIdentity {
  std::string name;     ///< "NVIDIA H200"
  std::string uuid;     ///< "GPU-1b2f...", of a MIG instance its own
  std::string pciBusId; ///< "0000:17:00.0"
  std::string host;
  std::string driver; ///< CUDA version of the driver: "13.0"
  /// Nothing was measured, or before identities were recorded.
  bool empty() const { return name.empty() && uuid.empty(); }
};

/// Whether times taken on both may be compared. A device without uuid is the
/// same as none, not even as itself.
bool isSameDevice(const DeviceIdentity &a, const DeviceIdentity &b);

/// Whether the candidate of `a` is the faster one: by time on the same device,
/// else by speedup over the stock measured beside it. Both of one evidence.
bool isFaster(const Evaluation &a, const Evaluation &b);

/// "NVIDIA H200 GPU-1b2f... at 0000:17:00.0 of node7"
std::string describe(const DeviceIdentity &device);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_DEVICEIDENTITY_H
