//===- PlanSteps.h - One plan as claw ops -----------------------*- C++ -*-===//
//
// Device code to gpu.binary, buffers to memrefs, steps to claw.*_step ops with
// every expression evaluated or as code.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EMBED_PLANSTEPS_H
#define KERNELCLAW_LIB_EMBED_PLANSTEPS_H

#include "RegionNames.h"

#include "kernelclaw/Embed/Embed.h"

#include "mlir/IR/Builders.h"

namespace kclaw {

/// Where a plan goes: `name` is the prefix of its symbols in `module`.
struct EmbedSite {
  mlir::ModuleOp module;
  std::string name;
  mlir::Location loc;
  /// Sizes of workspaces are computed in front of this op of the function's
  /// body, where kclaw-plan-memory can use them; null: where the steps are.
  mlir::Operation *sizesBefore = nullptr;
};

/// Emits the plan's steps at the builder's insertion point. `arguments` and
/// `results` are the values behind Argument and Result buffers.
mlir::LogicalResult emitPlan(EmbedSite site, mlir::OpBuilder &builder,
                             const CompiledPlan &compiled,
                             const NameValues &names,
                             mlir::ValueRange arguments,
                             mlir::ValueRange results);

/// One gpu.binary with one object: fatbin, else cubin, else PTX text.
mlir::LogicalResult emitBinary(EmbedSite site, llvm::StringRef symbol,
                               const PlanModule &module,
                               const CompiledPlan &compiled);

/// Architectures that every image of the plan was compiled for,
/// space-separated.
std::string architectures(const CompiledPlan &compiled);

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_PLANSTEPS_H
