//===- Translate.h - LLVM dialect to optimised LLVM IR ----------*- C++ -*-===//
//
// Shared by the emitters and the JIT.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_LOWER_TRANSLATE_H
#define KERNELCLAW_LIB_LOWER_TRANSLATE_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace kclaw {

/// Generic: any x86-64-v2 (or the baseline of another architecture). Native:
/// this machine.
enum class Cpu { Generic, Native };

/// PIC code for the host's architecture; null with a diagnostic at `loc`.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(mlir::Location loc,
                                                       Cpu cpu);

/// Translates and runs the -O2 pipeline; null with a diagnostic.
std::unique_ptr<llvm::Module> translateModule(mlir::ModuleOp module,
                                              llvm::LLVMContext &context,
                                              llvm::TargetMachine &machine);

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_TRANSLATE_H
