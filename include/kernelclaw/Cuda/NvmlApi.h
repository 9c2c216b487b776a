//===- NvmlApi.h - SM clock and energy, when NVML is there ------*- C++ -*-===//
//
// NVML reads without touching anything. Optional: its absence is an answer. Its
// header is not part of every toolkit, so the functions are declared here.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_NVMLAPI_H
#define KERNELCLAW_CUDA_NVMLAPI_H

#include "kernelclaw/Support/Error.h"

#include <string>

namespace kclaw {

/// The SM clock in MHz of the device at this PCI bus id now; 0 when unknown.
double readSmClockMHz(const std::string &pciBusId);

/// Joules that the board took since its driver was loaded: a counter in steps
/// of a millijoule, which the board brings up to date every 20 to 100 ms.
/// Unavailable, with NVML's reason, where it has none.
Expected<double> readEnergyJoules(const std::string &pciBusId);

} // namespace kclaw

#endif // KERNELCLAW_CUDA_NVMLAPI_H
