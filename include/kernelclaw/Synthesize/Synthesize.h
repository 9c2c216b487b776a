//===- Synthesize.h - Regions to specs, specs to winners --------*- C++ -*-===//
//
// The one place that sees both halves: builds a KernelSpec for each region
// function, hands it with stock and reference to the agent, and returns the
// plans to embed.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SYNTHESIZE_SYNTHESIZE_H
#define KERNELCLAW_SYNTHESIZE_SYNTHESIZE_H

#include "kernelclaw/Spec/KernelSpec.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

/// Why no agent can work on the region; empty when one can.
std::string whyStock(mlir::func::FuncOp region);

/// The spec of a region function made by kclaw-outline. Fails with an error on
/// a malformed region, with a remark on one that has to stay stock.
mlir::FailureOr<KernelSpec> buildKernelSpec(mlir::func::FuncOp region,
                                            Policy policy);

/// The spec of a whole function as it was imported, for judging the lowered
/// module: tensors, family and policy. Its graph has no ops and it has no text:
/// no agent asks for them, and they could not hold a frozen model's weights.
mlir::FailureOr<KernelSpec> buildModuleSpec(mlir::func::FuncOp function,
                                            Policy policy);

} // namespace kclaw

#endif // KERNELCLAW_SYNTHESIZE_SYNTHESIZE_H
