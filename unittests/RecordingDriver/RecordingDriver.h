//===- RecordingDriver.h - What the recording driver adds -------*- C++ -*-===//
//
// Exported by libkclaw_recording_driver.so beside the driver's own entry
// points; found with dlsym.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_RECORDINGDRIVER_H
#define KERNELCLAW_UNITTESTS_RECORDINGDRIVER_H

extern "C" {
/// Names of the calls since the last kclForgetCalls, one a line, as
/// Cuda/DriverApi.h spells them. Valid until the next call of this function.
const char *kclRecordedCalls();
void kclForgetCalls();
/// The stream of the last cuStreamSynchronize; before the first no stream's
/// handle, null neither. Only of the device that the driver plays itself.
const void *kclWaitedStream();
}

#endif // KERNELCLAW_UNITTESTS_RECORDINGDRIVER_H
