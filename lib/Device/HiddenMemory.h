//===- HiddenMemory.h - What a candidate must not reach ---------*- C++ -*-===//
//
// A chunk of device memory for expected results and everything else that would
// tell a candidate something. Hidden, it is unmapped: an access to it faults.
// Buffers are cut from it, so that hiding is one call however many there are.
// Where the driver cannot unmap, it is ordinary memory and always shown
// (DeviceSession::whyNotHidden).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_HIDDENMEMORY_H
#define KERNELCLAW_LIB_DEVICE_HIDDENMEMORY_H

#include "RunFailure.h"
#include "kernelclaw/Cuda/Resources.h"
#include "kernelclaw/Cuda/VirtualMemory.h"

#include <optional>

namespace kclaw {

class DeviceSession;

class HiddenMemory {
public:
  /// Hidden at first. Rejected/"memory" when the device is full.
  static Run<HiddenMemory> create(const DeviceSession &session,
                                  const std::string &what, uint64_t bytes);
  /// The next `bytes`, at a multiple of 256; they must be there.
  CUdeviceptr take(uint64_t bytes);
  /// What `take` uses up for `bytes`.
  static uint64_t needed(uint64_t bytes) { return (bytes + 511) / 256 * 256; }

  Run<void> show();
  /// Nothing that uses it may be running.
  Run<void> hide();
  bool isShown() const { return !hidable || hidable->isMapped(); }
  uint64_t bytes() const { return sizeBytes; }

private:
  CUdeviceptr base() const {
    return hidable ? hidable->address() : memory.get();
  }

  std::optional<VirtualMemory> hidable;
  DeviceMemory memory; ///< without virtual memory management
  uint64_t sizeBytes = 0;
  uint64_t taken = 0;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_HIDDENMEMORY_H
