//===- TorchHooks.h - Hooks of unregistered torch ops -----------*- C++ -*-===//
//
// Private to the library: what TorchDialect returns for ops that have no class.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_TORCH_TORCHHOOKS_H
#define KERNELCLAW_LIB_TORCH_TORCHHOOKS_H

#include "kernelclaw/Torch/Torch.h"

namespace kclaw::torch {

/// `operands attr-dict? : operand-types (-> result-types)?`, no parentheses.
mlir::ParseResult parseUniform(mlir::OpAsmParser &parser,
                               mlir::OperationState &result);
void printUniform(mlir::Operation *op, mlir::OpAsmPrinter &printer);
/// False for what only the generic form can say: regions, successors, a name
/// that is no identifier.
bool hasUniformForm(mlir::Operation *op);

/// Adds the effects of any torch op: by name, and by whether it touches
/// `!torch.tensor` values.
void addEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);

/// Interface models; live as long as the program.
void *resultNamesModel();
void *effectsModel();

} // namespace kclaw::torch

#endif // KERNELCLAW_LIB_TORCH_TORCHHOOKS_H
