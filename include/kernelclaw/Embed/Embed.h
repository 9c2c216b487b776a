//===- Embed.h - Plans into the module --------------------------*- C++ -*-===//
//
// Replaces the body of each region function by the steps of its plans: device
// code as gpu.binary (one fatbin object each), steps as claw.*_step ops on
// memrefs, winner behind a guard with stock beside it.
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
};

/// Keyed by the region function's symbol. Afterwards every region function
/// takes memrefs (arguments, then results) and its body is claw step ops.
mlir::LogicalResult
embedPlans(mlir::ModuleOp module,
           const std::map<std::string, RegionPlans> &regions);

} // namespace kclaw

#endif // KERNELCLAW_EMBED_EMBED_H
