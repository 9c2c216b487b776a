//===- Outline.h - From functions to regions --------------------*- C++ -*-===//
//
// What kclaw-outline knows about ops, and the canonical text of what it makes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_OUTLINE_OUTLINE_H
#define KERNELCLAW_OUTLINE_OUTLINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace kclaw {

/// Lighter classes first: a region's family is that of its heaviest op.
enum class OpClass {
  Unknown,     ///< not in the table: stays outside with a remark
  Scalar,      ///< host scalars and lists: move inside
  View,        ///< moves no data in value semantics: duplicated into regions
  Creation,    ///< zeros, arange, full_like: duplicated like views
  Random,      ///< draws random numbers: stays outside with a remark
  SideEffect,  ///< writes, asserts or reads the device: stays outside
  Pointwise,   ///< one output element from one element of each operand
  DataMove,    ///< cat, pad, gather, scatter, resampling
  Reduction,   ///< sums, extrema, variances, losses
  Softmax,     ///< softmax, log_softmax, logsumexp, cross entropy
  Norm,        ///< layer, group, batch, instance, RMS norm
  Pooling,     ///< windowed and adaptive pools
  Scan,        ///< cumulative sums and products
  Sort,        ///< sort, topk
  Attention,   ///< scaled dot product attention
  Recurrence,  ///< lstm, gru
  Contraction, ///< linear, mm, bmm, matmul, einsum
  Convolution, ///< convolutions and transposed convolutions
};

/// The class of "aten.add.Tensor" (no "torch."): its full name, else its name
/// without the overload, is looked up in one table.
OpClass classifyOp(llvm::StringRef opName);

/// "pointwise", "reduction", "softmax", "norm", "contraction", "convolution"
/// or "other": what sets the error constant.
llvm::StringRef familyName(OpClass opClass);

/// True for ops that belong to exactly one region.
inline bool isCompute(OpClass opClass) { return opClass >= OpClass::Pointwise; }

/// The text of a function without symbol name, locations, argument attributes
/// and resource keys; attributes sorted, values numbered in order,
/// torch.operator "torch.aten.X" as aten.X. Equal texts compute the same.
std::string canonicalText(mlir::func::FuncOp function);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernelclaw/Outline/Passes.h.inc"

} // namespace kclaw

#endif // KERNELCLAW_OUTLINE_OUTLINE_H
