//===- TorchToLinalg.h - Torch functions to linalg on tensors ---*- C++ -*-===//
//
// Lowers the body of functions whose values are torch.vtensor to linalg,
// tensor, arith, math and scf ops on builtin tensors. Table-driven by operator
// family. An unsupported op is one diagnostic that names op and location.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCHTOLINALG_TORCHTOLINALG_H
#define KERNELCLAW_TORCHTOLINALG_TORCHTOLINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

struct LinalgOptions {
  /// The arithmetic of the f64 reference: every float value is computed in f64;
  /// explicit casts still round to their target first; arguments keep their
  /// dtype and are widened at the load; float results are returned as f64.
  bool widenToF64 = false;
  /// Convolutions of static sizes become claw.convolution, for a library.
  bool keepConvolutions = false;
};

/// Rewrites `function` in place: signature to builtin tensors (!torch.int,
/// float, bool become i64, f64, i1), body to linalg. Emits a diagnostic and
/// fails on an op it cannot lower.
mlir::LogicalResult lowerTorchToLinalg(mlir::func::FuncOp function,
                                       const LinalgOptions &options);

/// Whether the table has a row for the op ("aten.add.Tensor").
bool canLowerToLinalg(llvm::StringRef opName);

} // namespace kclaw

#endif // KERNELCLAW_TORCHTOLINALG_TORCHTOLINALG_H
