//===- ShippedHeaders.h - Standard headers that NVRTC lacks -----*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_SHIPPEDHEADERS_H
#define KERNELCLAW_LIB_DEVICE_SHIPPEDHEADERS_H

#include "CompileProtocol.h"

namespace kclaw {

/// <cstdint>, <math.h>, ...: small ones of ours, so that a machine without a
/// toolkit behaves the same.
std::vector<NamedText> shippedHeaders();

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SHIPPEDHEADERS_H
