//===- GuardedBuffer.h - Device memory between guard bands ------*- C++ -*-===//
//
// A buffer with at least 4 KiB on both sides that nobody may write. Placed
// either at a multiple of 256 or at exactly the declared alignment: a multiple
// of it and of nothing larger.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_GUARDEDBUFFER_H
#define KERNELCLAW_LIB_DEVICE_GUARDEDBUFFER_H

#include "DeviceSession.h"

namespace kclaw {

enum class Placement { Wide, Exact };

/// Offset of the data from a base that is a multiple of 256.
uint64_t guardedOffset(int64_t alignmentBytes, Placement placement);
/// Bytes to allocate for `bytes` of data with its guards.
uint64_t guardedBytes(uint64_t bytes);

class GuardedBuffer {
public:
  /// Rejected/"memory" when the device is full.
  static Run<GuardedBuffer> create(DeviceSession &session, std::string name,
                                   uint64_t bytes, int64_t alignmentBytes);

  CUdeviceptr address() const {
    return memory.get() + guardedOffset(alignmentBytes, placement);
  }
  void *pointer() const { return reinterpret_cast<void *>(address()); }
  uint64_t bytes() const { return dataBytes; }
  void place(Placement where) { placement = where; }

  Run<void> fill(DeviceSession &session, uint8_t value) const {
    return session.fill(address(), dataBytes, value);
  }
  Run<void> armGuards(DeviceSession &session) const;
  /// Fault/"guard-band" when a guard was written.
  Run<void> checkGuards(DeviceSession &session) const;

private:
  GuardedBuffer(DeviceMemory memory, std::string name, uint64_t bytes,
                int64_t alignmentBytes)
      : memory(std::move(memory)), name(std::move(name)), dataBytes(bytes),
        alignmentBytes(alignmentBytes) {}
  DeviceMemory memory;
  std::string name;
  uint64_t dataBytes;
  int64_t alignmentBytes;
  Placement placement = Placement::Wide;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_GUARDEDBUFFER_H
