//===- DeviceLock.h - One process judges on a device at a time --*- C++ -*-===//
//
// Two workers on one GPU would spoil each other's times. What a job does on the
// device happens under an advisory lock (flock) of a file named by the device's
// uuid, FOLDER/kernelclaw-UUID.lock, which all users of the host share; a
// process that dies gives it up. Others that use the GPU do not ask for it, nor
// do workers in containers with a /tmp of their own. One thread.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_DEVICELOCK_H
#define KERNELCLAW_LIB_DEVICE_DEVICELOCK_H

#include "kernelclaw/Support/Error.h"

#include <functional>
#include <string>

namespace kclaw {

class DeviceLock {
public:
  /// No lock of any device.
  DeviceLock() = default;
  explicit DeviceLock(const std::string &uuid,
                      const std::string &folder = "/tmp");
  DeviceLock(DeviceLock &&other) noexcept;
  DeviceLock &operator=(DeviceLock &&other) noexcept;
  ~DeviceLock();

  /// Waits at most so long; `sayWaiting` is called once, before. Seconds
  /// waited, 0 when it is held already. Error::Code::Budget, naming who has
  /// it, at the limit; Io when the file cannot be had.
  Expected<double> hold(double seconds,
                        const std::function<void()> &sayWaiting);
  void release();

private:
  Expected<void> open();
  std::string holder() const;

  std::string path; ///< empty: nothing to lock
  int file = -1;
  bool held = false;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_DEVICELOCK_H
