//===- PtxLink.h - PTX to cubin by the driver -------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_PTXLINK_H
#define KERNELCLAW_LIB_DEVICE_PTXLINK_H

#include "RunFailure.h"
#include "kernelclaw/Cuda/DriverApi.h"

namespace kclaw {

/// Gives an image that has only PTX its cubin, for the current context's
/// device; the driver's ptxas report is appended to `resources`. CompileError
/// with the driver's log when it does not assemble.
Run<void> assemble(const DriverApi &api, ModuleImage &image,
                   std::vector<ResourceReport> &resources);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PTXLINK_H
