//===- Lower.h - The rest of the way down -----------------------*- C++ -*-===//
//
// From linalg (CPU) or claw steps (CUDA) to the LLVM dialect with the entry
// ABI of Runtime/kernelclaw.h, then to an object or a shared library.
//
// Form M, where the two paths meet: every public func.func is an entry. Its
// arguments are memrefs of identity layout (tensors) or i64, f64, i1 values
// (Torch scalars); then come the result memrefs, as many as its attribute
// `claw.num_results` says. A result that was a Torch scalar is a rank-0 memref
// with the argument attribute `claw.scalar`. Bodies hold memref.alloc
// temporaries, func.call of private single-block functions, and claw steps or
// linalg. An entry that still returns values is brought into this form by
// kclaw-out-params, which also takes from an entry in this form what it returns
// as index values: the dynamic sizes of its results, in order. Beside an entry
// NAME may stand NAME__checks, which its call runs first (kclaw-size-checks).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_LOWER_H
#define KERNELCLAW_LOWER_LOWER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace kclaw {

enum class TargetDevice { Cpu, Cuda };

/// On an entry in form M: how many of its last arguments are results (i64).
inline constexpr llvm::StringLiteral numResultsAttrName = "claw.num_results";
/// On a rank-0 result memref that is a Torch scalar on the host (unit).
inline constexpr llvm::StringLiteral scalarAttrName = "claw.scalar";
/// On entry arguments and results: the name that NAME_describe gives (string).
inline constexpr llvm::StringLiteral nameAttrName = "claw.name";
/// On entry arguments and results whose builtin type lost it: "u8" (string).
inline constexpr llvm::StringLiteral dtypeAttrName = "claw.dtype";
/// On entry arguments and results: bytes that the kernels rely on (i64).
inline constexpr llvm::StringLiteral alignmentAttrName = "claw.alignment";

/// On a module: NAME_hints may advise callers to capture a CUDA graph (unit).
inline constexpr llvm::StringLiteral graphAttrName = "claw.graph";

/// On a module: kernels of its winners round f32 operands to TF32 (unit). What
/// library steps do is seen from the steps.
inline constexpr llvm::StringLiteral tf32AttrName = "claw.tf32";

/// The named bundle `kclaw-lower{device=cpu|cuda}`: Torch (CPU) or claw steps
/// (CUDA) to the LLVM dialect.
void buildLowerPipeline(mlir::OpPassManager &pm, TargetDevice device);

/// An error at a call through which a function reaches itself.
mlir::LogicalResult checkRecursion(mlir::ModuleOp module);

/// Adds the functions NAME__checks of the entries of `imported` (Torch IR) to
/// `module`, which holds what became of them: kclaw-size-checks for device
/// code, whose own form no longer says what the ops require. Fails with a
/// diagnostic where the entries cannot be lowered to linalg.
mlir::LogicalResult addSizeChecks(mlir::ModuleOp imported,
                                  mlir::ModuleOp module);

/// Dialects, bufferization models and LLVM translations that the bundle and
/// the emitters need; for hosts that do not register everything.
void registerLowerDialects(mlir::DialectRegistry &registry);

/// Writes a relocatable object (PIC) or a shared library linked against
/// libkernelclaw_runtime. The module is in LLVM dialect.
mlir::LogicalResult emitObject(mlir::ModuleOp module, llvm::StringRef path);
mlir::LogicalResult emitSharedLibrary(mlir::ModuleOp module,
                                      llvm::StringRef path);

/// Writes C declarations of every entry of the module (LLVM dialect), on top of
/// Runtime/kernelclaw.h.
mlir::LogicalResult emitHeader(mlir::ModuleOp module, llvm::StringRef path);

} // namespace kclaw

#endif // KERNELCLAW_LOWER_LOWER_H
