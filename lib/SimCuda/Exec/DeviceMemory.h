//===- DeviceMemory.h - Allocations of the simulated device -----*- C++ -*-===//
//
// A device address is the host address of the byte, so generic addressing and
// client tricks need no translation. Allocations are 512-byte aligned with at
// least one unmapped-by-us gap of 512 bytes between any two, so that an
// overrun never lands in a neighbour. One bit a byte says whether the byte was
// ever written.
//
// Thread-safety: the driver serialises allocation, release and launches; while
// a launch runs, host threads only look up.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICEMEMORY_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICEMEMORY_H

#include "DeviceHeap.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace kclaw::sim {

struct Allocation {
  uintptr_t base = 0;
  uint64_t bytes = 0;
  uint64_t reach = 0;    ///< bytes that kernels may access: at least `bytes`
  bool readOnly = false; ///< .const
  bool ownsPages = true; ///< false: a mapping of cuMemMap
  /// Bit i: byte i was written. Null: not tracked (all defined).
  std::unique_ptr<uint64_t[]> written;
  /// Whatever the race check keeps; null until its first use.
  void *raceShadow = nullptr;
  void (*releaseShadow)(void *) = nullptr;
  ~Allocation();

  bool contains(uintptr_t address, uint64_t count) const {
    return address >= base && count <= bytes && address - base <= bytes - count;
  }
  bool reaches(uintptr_t address, uint64_t count) const {
    return address >= base && count <= reach && address - base <= reach - count;
  }
  void markWritten(uint64_t offset, uint64_t count);
  /// Not while a launch runs.
  void markUnwritten(uint64_t offset, uint64_t count);
  /// Offset of the first byte of the range that was never written, or -1.
  int64_t firstUnwritten(uint64_t offset, uint64_t count) const;
};

class DeviceMemory {
public:
  /// Total bytes that the device claims to have.
  explicit DeviceMemory(uint64_t capacity) : capacity(capacity) {}
  ~DeviceMemory();
  /// Kernels may access allocations up to a multiple of `bytes`, as on a GPU,
  /// which does not know where they end; 1 at first. A power of two.
  void setGranularity(uint64_t bytes) { granularity = bytes; }

  /// 0 when it does not fit.
  uintptr_t allocate(uint64_t bytes, bool readOnly = false);
  bool release(uintptr_t base); ///< false: not the start of an allocation
  /// Registers memory that the driver mapped itself (cuMemMap, pinned host).
  void adopt(uintptr_t base, uint64_t bytes);
  /// The allocation that holds the address, or null.
  Allocation *find(uintptr_t address);
  uint64_t used() const { return usedBytes; }
  uint64_t total() const { return capacity; }
  /// Counts memory that is kept elsewhere (cuMemCreate) as used.
  void charge(int64_t bytes) { usedBytes += uint64_t(bytes); }
  DeviceHeap &heap() { return deviceHeap; }
  const std::map<uintptr_t, std::unique_ptr<Allocation>> &all() const {
    return allocations;
  }

private:
  uint64_t capacity;
  uint64_t usedBytes = 0;
  uint64_t granularity = 1;
  std::map<uintptr_t, std::unique_ptr<Allocation>> allocations;
  DeviceHeap deviceHeap{*this};
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICEMEMORY_H
