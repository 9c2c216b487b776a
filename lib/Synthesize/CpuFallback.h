//===- CpuFallback.h - The CPU lowering beside the device's -----*- C++ -*-===//
//
// Private to lib/Synthesize.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_CPUFALLBACK_H
#define KERNELCLAW_LIB_SYNTHESIZE_CPUFALLBACK_H

#include "mlir/IR/BuiltinOps.h"

namespace kclaw {

/// Lowers `imported` (Torch dialect) for the CPU and adds its entries to
/// `module` (LLVM dialect) as NAME_cpu.
mlir::LogicalResult addCpuFallback(mlir::ModuleOp module,
                                   mlir::OwningOpRef<mlir::ModuleOp> imported);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_CPUFALLBACK_H
