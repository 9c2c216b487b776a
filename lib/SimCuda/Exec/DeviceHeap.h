//===- DeviceHeap.h - malloc and free in kernels ----------------*- C++ -*-===//
//
// One allocation of the device's memory, made before the first launch that may
// need it and handed out in blocks of 16 bytes. Thread-safe while a launch
// runs.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICEHEAP_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICEHEAP_H

#include <cstdint>
#include <map>
#include <mutex>

namespace kclaw::sim {

class DeviceMemory;

class DeviceHeap {
public:
  explicit DeviceHeap(DeviceMemory &memory) : memory(memory) {}

  /// Size from the next prepare() on; no effect once prepared.
  void setBytes(uint64_t count) { bytes = count; }
  /// Takes the memory; between launches only.
  void prepare();
  /// 0 when it does not fit.
  uintptr_t allocate(uint64_t count);
  bool release(uintptr_t address); ///< false: nothing starts there

private:
  DeviceMemory &memory;
  std::mutex mutex;
  uint64_t bytes = 8 << 20;
  uintptr_t base = 0;
  std::map<uintptr_t, uint64_t> used; ///< start -> bytes
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICEHEAP_H
