//===- Printf.h - printf of a kernel ----------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_PRINTF_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_PRINTF_H

#include <cstdint>
#include <functional>
#include <string>

namespace kclaw::sim {

struct PrintfArguments {
  /// The next argument, of 4 or 8 bytes.
  std::function<uint64_t(unsigned bytes)> word;
  /// What %s prints for an address.
  std::function<std::string(uint64_t address)> string;
};

struct PrintfResult {
  std::string text;
  int arguments = 0;
};

/// C's printf as kernels have it: no %n, no long double.
PrintfResult formatPrintf(const std::string &format,
                          const PrintfArguments &arguments);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_PRINTF_H
