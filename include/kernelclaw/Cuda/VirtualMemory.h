//===- VirtualMemory.h - Device memory that can be unmapped -----*- C++ -*-===//
//
// One physical allocation with an address range of its own. Unmapped, its bytes
// stay, and an access faults; mapped again, they are at the same addresses.
// Nothing may be running that uses it when it is unmapped. Move-only; not
// thread-safe; the table must outlive it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_VIRTUALMEMORY_H
#define KERNELCLAW_CUDA_VIRTUALMEMORY_H

#include "kernelclaw/Cuda/DriverApi.h"

namespace kclaw {

class VirtualMemory {
public:
  /// Why this driver or device cannot; empty when it can.
  static std::string whyUnsupported(const DriverApi &api, CUdevice device);

  /// At least `bytes`, not mapped yet. Error::Code::Budget when the device has
  /// not that much memory left.
  static Expected<VirtualMemory> create(const DriverApi &api, CUdevice device,
                                        uint64_t bytes);
  VirtualMemory(VirtualMemory &&other) noexcept { swap(other); }
  VirtualMemory &operator=(VirtualMemory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~VirtualMemory();

  CUdeviceptr address() const { return range; }
  uint64_t bytes() const { return sizeBytes; }
  bool isMapped() const { return mapped; }
  Expected<void> map();
  Expected<void> unmap();

private:
  explicit VirtualMemory(const DriverApi &api, CUdevice device)
      : api(&api), device(device) {}
  void swap(VirtualMemory &other) noexcept;

  const DriverApi *api = nullptr;
  CUdevice device = 0;
  CUdeviceptr range = 0;
  uint64_t sizeBytes = 0;
  CUmemGenericAllocationHandle physical = 0;
  bool owned = false; ///< `physical` is ours to release
  bool mapped = false;
};

} // namespace kclaw

#endif // KERNELCLAW_CUDA_VIRTUALMEMORY_H
