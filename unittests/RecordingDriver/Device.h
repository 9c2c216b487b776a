//===- Device.h - The device that the recording driver plays ----*- C++ -*-===//
#ifndef KERNELCLAW_UNITTESTS_RECORDINGDRIVER_DEVICE_H
#define KERNELCLAW_UNITTESTS_RECORDINGDRIVER_DEVICE_H

namespace kclaw::recording {

/// The entry point that answers; null: success without an answer.
void *deviceFunction(const char *name);

/// Whether the call is possible now: a stream that is captured takes launches,
/// fills and copies only.
bool allowedNow(const char *name);

/// See kclWaitedStream.
const void *waitedStream();

} // namespace kclaw::recording

#endif // KERNELCLAW_UNITTESTS_RECORDINGDRIVER_DEVICE_H
