//===- DeviceAnnotation.h - NVRTC sources for nvcc --------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_DEVICEANNOTATION_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_DEVICEANNOTATION_H

#include <string>

namespace kclaw {

/// NVRTC is told that functions and tables without annotation are for the
/// device; nvcc takes them for the host. Returns the source with __device__
/// before those in namespaces and classes. A scan of the text: what macros make
/// is left alone.
std::string annotateForDevice(const std::string &source);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_DEVICEANNOTATION_H
