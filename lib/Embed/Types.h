//===- Types.h - Torch types as memrefs -------------------------*- C++ -*-===//
//
// How values of a Torch function look in form M.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EMBED_TYPES_H
#define KERNELCLAW_LIB_EMBED_TYPES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace kclaw {

/// A tensor as a memref of identity layout, !torch.int, float and bool as i64,
/// f64 and i1; failure with a diagnostic at `loc` for anything else.
mlir::FailureOr<mlir::Type> embeddedType(mlir::Type type, mlir::Location loc);

/// Bytes of a memref, of one element a dynamic size; booleans take one each.
int64_t byteSize(mlir::MemRefType type);

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_TYPES_H
