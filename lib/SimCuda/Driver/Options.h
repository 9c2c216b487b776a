//===- Options.h - Options of the simulated driver --------------*- C++ -*-===//
//
// All come from the environment, read once by cuInit; a bad value makes cuInit
// fail with a message on stderr.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_OPTIONS_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_OPTIONS_H

#include "../Model/Device.h"

#include <expected>
#include <span>
#include <string>

namespace kclaw::sim::api {

struct Options {
  const DeviceModel *device = findDeviceModel("sm_90a");
  bool checks = true;
  unsigned threads = 0; ///< host threads of a launch; 0: one a core
  uint64_t budget = uint64_t(20) << 30; ///< warp instructions of a launch
  uint64_t memoryBytes = 0;             ///< of the device; 0: as its model
  unsigned ordinal = 0;                 ///< which of several equal devices
};

struct OptionRow {
  const char *variable; ///< "KERNELCLAW_SIM_CHECKS"
  const char *accepted; ///< "on, off"
  const char *purpose;
  bool (*read)(Options &options, const std::string &value);
};
std::span<const OptionRow> optionRows();

/// From the environment; the error says variable, value and what is accepted.
std::expected<Options, std::string> readOptions();

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_OPTIONS_H
