//===- DeviceRuntime.h - What libcudadevrt gives to kernels -----*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICERUNTIME_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICERUNTIME_H

#include "../Ptx/Ast.h"

#include <optional>
#include <vector>

namespace kclaw::sim {

/// The device runtime's module when `modules` declare one of its functions and
/// define none: real clients link a library of machine code for them.
std::optional<ptx::Module>
deviceRuntimeFor(const std::vector<ptx::Module> &modules);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_DEVICERUNTIME_H
