//===- Link.h - A link in progress ------------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_LINK_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_LINK_H

#include "Image.h"

#include <map>

namespace kclaw::sim::api {

struct LinkState {
  JitLog log;
  std::vector<std::string> texts;
  /// .visible definitions, and the input that each is in.
  std::map<std::string, std::string> definitions;
  std::vector<char> result;
};

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_LINK_H
