//===- Layout.h - Offsets of shared, local and parameter variables -*- C++ -*-//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_LAYOUT_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_LAYOUT_H

#include "Code.h"

namespace kclaw::sim {

using FunctionList = std::vector<std::unique_ptr<Function>>;
using FunctionNames = std::map<std::string, Function *, std::less<>>;

/// Fills localOffsets, parameterOffsets and sharedOffsets of all functions.
/// Module-level shared variables lie at the same offset in every function that
/// is called; those that only kernels name are laid out per kernel.
void layOutMemory(const std::vector<ptx::Module> &modules,
                  const FunctionList &functions, const FunctionNames &names);

/// The longest chain of calls; recursion counts as `recursionDepth` frames.
unsigned callDepth(const FunctionList &functions, const FunctionNames &names);
constexpr unsigned recursionDepth = 64;

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_LAYOUT_H
