//===- GuardedBuffer.h - Device memory between guard bands ------*- C++ -*-===//
//
// A buffer with at least 4 KiB on both sides that nobody may write. Placed
// either at a multiple of 256 or at exactly the declared alignment: a multiple
// of it and of nothing larger. The simulator knows the bounds of each
// allocation and the bytes that were never written: there a buffer is an
// allocation of its own without bands, one for each placement, so that the
// first byte outside is told with kernel and line. Buffers in hidden memory
// (stock's, the reference's) have bands everywhere: no checks look at them.
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
  /// Cut from `chunk`, which must outlive it and have `neededIn` bytes left.
  static GuardedBuffer within(HiddenMemory &chunk, std::string name,
                              uint64_t bytes, int64_t alignmentBytes);
  static uint64_t neededIn(uint64_t bytes) {
    return HiddenMemory::needed(guardedBytes(bytes));
  }

  CUdeviceptr address() const { return base() + bytesBefore(); }
  void *pointer() const { return reinterpret_cast<void *>(address()); }
  uint64_t bytes() const { return dataBytes; }
  void place(Placement where) { placement = where; }
  /// What is to be allocated for `bytes` of data.
  static uint64_t needed(const DeviceSession &session, uint64_t bytes) {
    return session.isSimulated() ? bytes : guardedBytes(bytes);
  }

  Run<void> fill(DeviceSession &session, uint8_t value) const {
    return session.fill(address(), dataBytes, value);
  }
  Run<void> armGuards(DeviceSession &session) const;
  /// Fault/"guard-band" when a guard was written.
  Run<void> checkGuards(DeviceSession &session) const;

private:
  GuardedBuffer(std::string name, uint64_t bytes, int64_t alignmentBytes,
                bool banded)
      : name(std::move(name)), dataBytes(bytes), alignmentBytes(alignmentBytes),
        banded(banded) {}
  bool isShifted() const {
    return exactMemory && placement == Placement::Exact;
  }
  CUdeviceptr base() const {
    return cut ? cut : isShifted() ? exactMemory.get() : memory.get();
  }
  uint64_t bytesBefore() const;
  uint64_t bytesAfter() const;

  DeviceMemory memory;
  DeviceMemory exactMemory; ///< without bands: for Placement::Exact
  CUdeviceptr cut = 0;      ///< in hidden memory; not owned
  std::string name;
  uint64_t dataBytes;
  int64_t alignmentBytes;
  bool banded;
  Placement placement = Placement::Wide;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_GUARDEDBUFFER_H
