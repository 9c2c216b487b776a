//===- Embed.h - Plans into the module --------------------------*- C++ -*-===//
//
// Replaces the body of each region function by the steps of its plans: device
// code as gpu.binary (one fatbin object each), steps as claw.*_step ops on
// memrefs, winner behind a guard with stock beside it. Public functions are
// rewritten to form M (Lower.h): memrefs in, results as trailing memrefs.
// Expressions of plans are evaluated when everything in them is known, else
// code from the dimensions of the region's arguments does it (RegionNames.h).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_EMBED_EMBED_H
#define KERNELCLAW_EMBED_EMBED_H

#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>

namespace kclaw {

/// A plan with the images of its modules (PTX modules of stock may come
/// without: their text is embedded and the driver compiles it).
struct CompiledPlan {
  Plan plan;
  std::vector<ModuleImage> images;
};

struct RegionPlans {
  CompiledPlan stock;
  std::optional<CompiledPlan> winner;
  /// The shape of each result, as exportPlan gave it with stock.
  std::vector<std::vector<Expr>> resultDims;
  /// Values of dynamic dimensions that the winner was judged at; it runs at
  /// others of its range only when its plan is resizable.
  Bindings judgedSizes;
  /// Bytes that the winner relies on for every argument and result.
  int64_t alignment = 16;
};

/// Keyed by the region function's symbol. Afterwards every region function
/// takes memrefs (arguments, then results) and its body is claw step ops.
mlir::LogicalResult
embedPlans(mlir::ModuleOp module,
           const std::map<std::string, RegionPlans> &regions);

/// Ops of public functions that no region took and that have no device code, in
/// order; embedPlans fails on them. Constants, and scalars and lists that only
/// serve another op, are not listed.
mlir::SmallVector<mlir::Operation *>
opsWithoutDeviceCode(mlir::ModuleOp module);

/// For a module that keeps Torch IR: public functions stay as they are. Each
/// region of `regions` keeps its Torch body and gets `claw.embedded = @SYMBOL`:
/// a private function on memrefs (arguments, then results) that computes the
/// same with the plans' steps.
mlir::LogicalResult
embedPlansBeside(mlir::ModuleOp module,
                 const std::map<std::string, RegionPlans> &regions);

/// Dialects of the ops that embedPlans creates. Every pass that calls it adds
/// them in getDependentDialects.
void registerEmbedDialects(mlir::DialectRegistry &registry);

} // namespace kclaw

#endif // KERNELCLAW_EMBED_EMBED_H
