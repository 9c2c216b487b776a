//===- LibrarySteps.h - Matmul and convolution on a stream ------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_LIBRARYSTEPS_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_LIBRARYSTEPS_H

#include "Driver.h"

namespace kclaw::sim::api {

/// Executes it; bytes outside of an allocation, or read before they were
/// written, end the stream's context, as a kernel's would.
void runStep(const Matmul &step, Stream &stream);
void runStep(const Convolution &step, Stream &stream);

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_LIBRARYSTEPS_H
