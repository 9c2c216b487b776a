//===- DeviceBuffers.h - Memory where an entry runs -------------*- C++ -*-===//
//
// The caller's side of the entry ABI: memory, copies, a stream and a clock, on
// the host or on a CUDA device. Interface and two implementations.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_DEVICEBUFFERS_H
#define KERNELCLAW_TOOLS_RUN_DEVICEBUFFERS_H

#include "kernelclaw/Support/Error.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace kclaw {

/// Owns what it allocates until it dies. Not thread-safe.
class DeviceBuffers {
public:
  virtual ~DeviceBuffers() = default;
  /// 256-byte aligned memory that holds `bytes` of `source` (may be null).
  virtual Expected<void *> place(const void *source, uint64_t bytes) = 0;
  /// Waits for the stream, then copies to the host.
  virtual Expected<void> fetch(void *target, const void *source,
                               uint64_t bytes) = 0;
  virtual void *stream() = 0;
  /// What `call` enqueues, as one CUDA graph, instead of running it. The
  /// function launches the graph; it must not outlive this object.
  virtual Expected<std::function<Expected<void>()>>
  capture(const std::function<Expected<void>()> &call) = 0;
  /// Milliseconds of one call on the device.
  virtual Expected<double>
  time(const std::function<Expected<void>()> &call) = 0;
};

std::unique_ptr<DeviceBuffers> makeHostBuffers();
/// Error::Code::Unavailable without a driver or a device.
Expected<std::unique_ptr<DeviceBuffers>> makeCudaBuffers();
/// Whether a driver and a device are there, and no simulated one.
bool hasCudaDevice();
/// Whether the driver, if there is one, is the simulator.
bool isDeviceSimulated();

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_DEVICEBUFFERS_H
