//===- DeviceOrdinal.h - "cuda:1": one of several devices -------*- C++ -*-===//
//
// A worker judges on one device. Which one is settled by the environment, so
// that the driver, and every library on top of it, sees that device alone, as
// number 0: CUDA_VISIBLE_DEVICES (one entry of what it held before), and for
// the simulator KERNELCLAW_SIM_ORDINAL.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_DEVICEORDINAL_H
#define KERNELCLAW_LIB_DEVICE_DEVICEORDINAL_H

#include "kernelclaw/Support/Error.h"

#include <optional>
#include <string>

namespace kclaw {

struct DeviceChoice {
  std::string kind; ///< cuda | sim | auto | none
  std::optional<int> ordinal;
};

/// Of "cuda" or "cuda:1"; Invalid with the accepted forms.
Expected<DeviceChoice> parseDevice(const std::string &text);

/// The entry of CUDA_VISIBLE_DEVICES that shows only device `ordinal` of those
/// that `visible` shows (nullptr: all).
Expected<std::string> visibleEntry(const char *visible, int ordinal);

/// Narrows the environment to the ordinal, if there is one. Before the driver
/// is initialised and any other thread runs.
Expected<void> showOnly(const DeviceChoice &device);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_DEVICEORDINAL_H
