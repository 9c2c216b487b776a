//===- DriverChoice.h - Which CUDA driver a process works with --*- C++ -*-===//
//
// The one place that decides between NVIDIA's driver and the simulated one
// (libkernelclaw_simcuda.so). Every tool decides once, at its start, before
// anything opens a driver: the decision travels in KERNELCLAW_CUDA_DRIVER, so
// that all copies of the driver table in this process (the tool's and the
// runtime library's) and all processes that it starts open the same one.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_DRIVERCHOICE_H
#define KERNELCLAW_CUDA_DRIVERCHOICE_H

#include "kernelclaw/Support/Error.h"

#include <string>
#include <vector>

namespace kclaw {

/// The library that is the simulated driver.
inline constexpr const char *simulatorLibrary = "libkernelclaw_simcuda.so";
/// Names the driver's library; set, it overrules every search.
inline constexpr const char *driverVariable = "KERNELCLAW_CUDA_DRIVER";

struct DriverChoice {
  std::string library; ///< what to open; empty: the loader finds libcuda.so.1
  bool simulated = false;
};

/// A choice, and the names of the devices that its driver shows; none on the
/// simulator.
struct DriverSurvey {
  DriverChoice choice;
  std::vector<std::string> devices;
};

/// Chooses as chooseDriver does, and initialises the driver (once) to look at
/// its devices; makes no context. Unavailable for cuda without a driver; a
/// driver without devices is none for auto, and an empty list for cuda.
Expected<DriverSurvey> surveyDriver(const std::string &device);

/// For `device` cuda, sim or auto. cuda: what KERNELCLAW_CUDA_DRIVER names,
/// else NVIDIA's. sim: the simulator, which
/// KERNELCLAW_CUDA_DRIVER may name, else found from where this program or the
/// library with this code lies; Unavailable when it is not there, or when the
/// variable names another driver. auto: cuda where a driver has a device, else
/// sim. Opens the driver but for cuda without the variable, initialises for
/// auto; makes no context.
Expected<DriverChoice> chooseDriver(const std::string &device);

/// Chooses, and sets KERNELCLAW_CUDA_DRIVER to what was chosen. Before any
/// other thread runs.
Expected<DriverChoice> decideDriver(const std::string &device);

} // namespace kclaw

#endif // KERNELCLAW_CUDA_DRIVERCHOICE_H
