//===- Torch.h - The torch and torch_c dialects -----------------*- C++ -*-===//
//
// Generated classes: TorchDialect, its types, the ops that are defined (see
// TorchOps.td), TorchCDialect. Passes that only look at ops include
// TorchOps.h instead.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCH_TORCH_H
#define KERNELCLAW_TORCH_TORCH_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "kernelclaw/Torch/TorchDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "kernelclaw/Torch/TorchTypes.h.inc"

namespace kclaw::torch {
/// `!torch.tensor<X>` <-> `!torch.vtensor<X>`; anything else is returned as is.
mlir::Type withValueSemantics(mlir::Type type);
mlir::Type withoutValueSemantics(mlir::Type type);
} // namespace kclaw::torch

#define GET_OP_CLASSES
#include "kernelclaw/Torch/TorchOps.h.inc"

#include "kernelclaw/Torch/TorchConversionDialect.h.inc"
#define GET_OP_CLASSES
#include "kernelclaw/Torch/TorchConversionOps.h.inc"

#endif // KERNELCLAW_TORCH_TORCH_H
