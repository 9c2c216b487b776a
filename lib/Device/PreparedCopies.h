//===- PreparedCopies.h - What prepare wrote, kept for later ----*- C++ -*-===//
//
// Persistent buffers are filled once and read by every call. A call that writes
// them carries state into the next one.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PREPAREDCOPIES_H
#define KERNELCLAW_LIB_DEVICE_PREPAREDCOPIES_H

#include "GuardedBuffer.h"
#include "Program.h"

namespace kclaw {

class PreparedCopies {
public:
  /// Enqueues copies of the persistent ones of `scratch`, which `needs`
  /// describes. Rejected/"memory" when there is no room.
  Run<void> take(DeviceSession &session, const std::vector<ScratchNeed> &needs,
                 const std::vector<GuardedBuffer> &scratch);
  /// Mismatch/"persistent-written" when one is no longer what was taken.
  Run<void> check(DeviceSession &session, const std::vector<ScratchNeed> &needs,
                  const std::vector<GuardedBuffer> &scratch) const;

private:
  std::vector<DeviceMemory> copies; ///< one a need; null: not persistent
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PREPAREDCOPIES_H
