//===- Lower.h - The rest of the way down -----------------------*- C++ -*-===//
//
// From linalg (CPU) or claw steps (CUDA) to the LLVM dialect with the entry
// ABI of Runtime/kernelclaw.h, then to an object or a shared library.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_LOWER_H
#define KERNELCLAW_LOWER_LOWER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace kclaw {

enum class TargetDevice { Cpu, Cuda };

/// The named bundle `kclaw-lower{device=cpu|cuda}`: Torch (CPU) or claw steps
/// (CUDA) to the LLVM dialect.
void buildLowerPipeline(mlir::OpPassManager &pm, TargetDevice device);

/// Writes a relocatable object (PIC) or a shared library linked against
/// libkernelclaw_runtime. The module is in LLVM dialect.
mlir::LogicalResult emitObject(mlir::ModuleOp module, llvm::StringRef path);
mlir::LogicalResult emitSharedLibrary(mlir::ModuleOp module,
                                      llvm::StringRef path);

} // namespace kclaw

#endif // KERNELCLAW_LOWER_LOWER_H
