//===- PrepareTensors.h - Tensor-level steps before kernels -----*- C++ -*-===//
//
// What kclaw-linalg-to-gpu does before and while it leaves tensors behind.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_PREPARETENSORS_H
#define KERNELCLAW_LIB_PLANEXPORT_PREPARETENSORS_H

#include "mlir/IR/BuiltinOps.h"

namespace kclaw {

/// Attribute on a linalg.generic: one entry per output, the constant that the
/// output starts from, or unit when the output buffer holds the start value.
inline constexpr llvm::StringLiteral initAttrName = "kclaw.init";

/// Named ops to generics, concat and pad to slices, short host loops unrolled,
/// elementwise ops fused, constant start values noted as `kclaw.init`.
mlir::LogicalResult prepareTensors(mlir::ModuleOp module);

/// Tensors to memrefs; results become trailing arguments of each function.
mlir::LogicalResult bufferizeModule(mlir::ModuleOp module);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_PREPARETENSORS_H
