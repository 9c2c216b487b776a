//===- NvmlApi.h - The SM clock, when NVML is there -------------*- C++ -*-===//
//
// NVML reads clocks without touching them. Optional: 0 when absent. Its header
// is not part of every toolkit, so the three functions are declared here.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_NVMLAPI_H
#define KERNELCLAW_CUDA_NVMLAPI_H

#include <string>

namespace kclaw {

/// The SM clock in MHz of the device at this PCI bus id now; 0 when unknown.
double readSmClockMHz(const std::string &pciBusId);

} // namespace kclaw

#endif // KERNELCLAW_CUDA_NVMLAPI_H
