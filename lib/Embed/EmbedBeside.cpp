//===- EmbedBeside.cpp - Plans beside Torch IR that stays -----------------===//
//
// keep-unsupported: an entry with an op that has no device code cannot be
// rewritten to memrefs. It keeps its Torch IR and its calls; each region keeps
// its Torch body, too, and names its device code in an attribute.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Embed/Embed.h"

#include "EmbedRegion.h"
#include "Entries.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Torch/Torch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace kclaw;

/// What an entry in form M can hold (Entries.cpp).
static bool hasDeviceForm(Operation &op) {
  return isa<func::CallOp, func::ReturnOp, torch::ValueTensorLiteralOp>(op) ||
         op.hasTrait<OpTrait::ConstantLike>() || isDroppedInEntry(op);
}

/// Scalars and lists are there for the op that uses them.
static bool touchesTensor(Operation *op) {
  auto isTensor = [](Type type) {
    return isa<torch::ValueTensorType, torch::NonValueTensorType>(type);
  };
  return op->getNumResults() == 0 ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

SmallVector<Operation *> kclaw::opsWithoutDeviceCode(ModuleOp module) {
  SmallVector<Operation *> kept;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function.isPrivate())
      continue;
    SmallVector<Operation *> all;
    for (Operation &op : function.getOps())
      if (!hasDeviceForm(op))
        all.push_back(&op);
    // Of an int that is returned alone the reader hears, too.
    bool anyTensor = llvm::any_of(all, touchesTensor);
    llvm::copy_if(all, std::back_inserter(kept), [&](Operation *op) {
      return !anyTensor || touchesTensor(op);
    });
  }
  return kept;
}

/// A copy of the region function in which the device code goes.
static func::FuncOp cloneRegion(func::FuncOp region) {
  OpBuilder builder(region->getContext());
  builder.setInsertionPointAfter(region);
  auto copy = cast<func::FuncOp>(builder.clone(*region));
  copy.setName((region.getName() + "_embedded").str());
  return copy;
}

LogicalResult
kclaw::embedPlansBeside(ModuleOp module,
                        const std::map<std::string, RegionPlans> &regions) {
  for (const auto &[name, plans] : regions) {
    auto region = module.lookupSymbol<func::FuncOp>(name);
    if (!region)
      return module.emitError("no region function '") << name << "'";
    func::FuncOp copy = cloneRegion(region);
    region->setAttr(claw::embeddedAttrName, FlatSymbolRefAttr::get(copy));
    if (failed(embedRegion(copy, plans, RegionNames(region))))
      return failure();
  }
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  return success();
}
