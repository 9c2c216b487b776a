//===- Launch.h - Kernel launches -------------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_LAUNCH_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_LAUNCH_H

#include "Driver.h"

namespace kclaw::sim::api {

/// Copies the arguments: `parameters` holds one pointer each, or `extra` names
/// a buffer with all of them. Throws INVALID_VALUE.
KernelLaunch makeLaunch(Kernel &kernel, Dim3 grid, Dim3 block,
                        uint32_t dynamicShared, void **parameters,
                        void **extra);
/// Limits of the device and the kernel; what a real driver answers.
void checkLaunch(const KernelLaunch &launch);
void runLaunch(const KernelLaunch &launch, Stream &stream);
/// A fault of work on the device: for kclSimLastReport and on stderr.
void report(const std::string &text);
/// `pointers` into this launch's own copy of the arguments.
void rebindPointers(KernelLaunch &launch);

/// Blocks of the kernel that fit one multiprocessor at a time.
int activeBlocks(const Kernel &kernel, int threads, size_t dynamicShared);

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_LAUNCH_H
