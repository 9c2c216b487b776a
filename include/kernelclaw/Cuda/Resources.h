//===- Resources.h - Move-only owners of driver objects ---------*- C++ -*-===//
//
// One owner per kind of driver object. Made on the current context; destroyed
// without failing (a context that a fault destroyed makes the release a no-op
// in the driver). Not thread-safe; the table must outlive them.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_RESOURCES_H
#define KERNELCLAW_CUDA_RESOURCES_H

#include "kernelclaw/Cuda/DriverApi.h"

#include <cstdint>
#include <utility>

namespace kclaw {

/// Owns one handle of type T, released by `Release` (a member of the table).
template <typename T, auto Release> class DriverObject {
public:
  DriverObject() = default;
  DriverObject(const DriverApi &api, T handle) : api(&api), handle(handle) {}
  DriverObject(DriverObject &&other) noexcept
      : api(other.api), handle(std::exchange(other.handle, T{})) {}
  DriverObject &operator=(DriverObject &&other) noexcept {
    std::swap(api, other.api);
    std::swap(handle, other.handle);
    return *this;
  }
  ~DriverObject() {
    if (handle)
      (void)(api->*Release)(handle);
  }

  T get() const { return handle; }
  explicit operator bool() const { return handle != T{}; }

private:
  const DriverApi *api = nullptr;
  T handle{};
};

using Stream = DriverObject<CUstream, &DriverApi::cuStreamDestroy>;
using Event = DriverObject<CUevent, &DriverApi::cuEventDestroy>;
using Library = DriverObject<CUlibrary, &DriverApi::cuLibraryUnload>;
using Graph = DriverObject<CUgraph, &DriverApi::cuGraphDestroy>;
using GraphExec = DriverObject<CUgraphExec, &DriverApi::cuGraphExecDestroy>;
using DeviceMemory = DriverObject<CUdeviceptr, &DriverApi::cuMemFree>;

Expected<Stream> createStream(const DriverApi &api);
Expected<Event> createEvent(const DriverApi &api);
/// Error::Code::Budget when the device has not that much memory left.
Expected<DeviceMemory> allocate(const DriverApi &api, uint64_t bytes);

/// What reports and rules need to know of a device.
struct DeviceFacts {
  std::string name; ///< "NVIDIA H200"
  std::string arch; ///< "sm_90"
  std::string pciBusId;
  std::string uuid; ///< "GPU-..."; empty where the driver tells none
  int multiprocessors = 0;
  int sharedBytesPerBlockOptin = 0;
  int driverVersion = 0; ///< 13000: CUDA 13.0
  uint64_t memoryBytes = 0;
  uint64_t l2Bytes = 0;
  /// Memory clock times bus width: no run can move bytes faster. 0: unknown.
  double pinBytesPerSecond = 0;
};

/// Device 0's primary context, retained and made current.
class PrimaryContext {
public:
  static Expected<PrimaryContext> retain(const DriverApi &api, int ordinal = 0);
  PrimaryContext(PrimaryContext &&other) noexcept;
  PrimaryContext &operator=(PrimaryContext &&) = delete;
  ~PrimaryContext();

  CUdevice device() const { return handle; }
  const DeviceFacts &facts() const { return known; }

private:
  PrimaryContext(const DriverApi &api, CUdevice handle)
      : api(&api), handle(handle) {}
  const DriverApi *api;
  CUdevice handle;
  DeviceFacts known;
};

Expected<DeviceFacts> readDeviceFacts(const DriverApi &api, CUdevice device);

} // namespace kclaw

#endif // KERNELCLAW_CUDA_RESOURCES_H
