//===- Claw.h - The claw dialect --------------------------------*- C++ -*-===//
//
// Generated classes: ClawDialect, RegionAttr, KernelStepOp, MemsetStepOp,
// CopyStepOp, MatmulStepOp, ConvolutionStepOp, TensorMapOp, PersistentOp,
// ConvolutionOp, GuardOp, RequireOp (see ClawOps.td).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CLAW_CLAW_H
#define KERNELCLAW_CLAW_CLAW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "kernelclaw/Claw/ClawDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "kernelclaw/Claw/ClawAttrs.h.inc"
#define GET_OP_CLASSES
#include "kernelclaw/Claw/ClawOps.h.inc"

namespace kclaw::claw {
/// Name of the attribute on region functions that holds a RegionAttr.
inline constexpr llvm::StringLiteral regionAttrName = "claw.region";
/// On a region function that keeps its Torch body (keep-unsupported): symbol of
/// the function on memrefs that holds its device code.
inline constexpr llvm::StringLiteral embeddedAttrName = "claw.embedded";
/// On step ops that fill prepared buffers (unit).
inline constexpr llvm::StringLiteral prepareAttrName = "claw.prepare";
/// On step ops in a loop of their plan (unit): they launch more than once.
inline constexpr llvm::StringLiteral repeatedAttrName = "claw.repeated";
} // namespace kclaw::claw

namespace kclaw {
/// Attribute of arguments and results with dynamic sizes, on regions and
/// entries: one text a dimension, "" when static, else "nK" or "nK:MIN:MAX".
/// Equal names in one function are equal sizes.
inline constexpr llvm::StringLiteral dimsAttrName = "claw.dims";
/// On a private function NAME__checks beside the entry NAME (unit): takes the
/// dynamic sizes and the scalars among the arguments of NAME, in order, and
/// requires what must hold of them.
inline constexpr llvm::StringLiteral checksAttrName = "claw.checks";
} // namespace kclaw

#endif // KERNELCLAW_CLAW_CLAW_H
