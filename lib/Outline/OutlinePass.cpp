//===- OutlinePass.cpp - kclaw-outline ------------------------------------===//
//
// Every function with a Torch body: collect, partition, rewrite, report.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "Rewriter.h"
#include "Roles.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace kclaw;
using namespace kclaw::outline;

namespace kclaw {
#define GEN_PASS_DEF_KCLAWOUTLINE
#include "kernelclaw/Outline/Passes.h.inc"
} // namespace kclaw

/// A function that is no region yet and holds Torch ops.
static bool isCandidate(func::FuncOp function) {
  return !function.isDeclaration() &&
         !function->hasAttr(claw::regionAttrName) &&
         llvm::any_of(function.front(), [](Operation &op) {
           return !torch::opName(&op).empty();
         });
}

/// Ops that must stay by their nature need no remark.
static bool deservesRemark(const Node &node) {
  return node.fate == Fate::Outside && !node.reason.empty() &&
         !isa<torch::BindSymbolicShapeOp>(node.op);
}

namespace {
struct OutlinePass : kclaw::impl::KClawOutlineBase<OutlinePass> {
  using KClawOutlineBase::KClawOutlineBase;

  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    return KClawOutlineBase::initializeOptions(
        options, [&](const Twine &message) {
          return errorHandler(message + "; options of kclaw-outline: "
                                        "granularity=auto|op|fusion|function");
        });
  }

  void runOnOperation() override {
    std::optional<Granularity> how = parseGranularity(granularity);
    if (!how) {
      getOperation().emitError()
          << "kclaw-outline: unknown granularity '" << granularity
          << "'; auto, op, fusion or function expected";
      return signalPassFailure();
    }
    RegionBuilder regions(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (isCandidate(function))
        outlineFunction(function, *how, regions);
  }

  void outlineFunction(func::FuncOp function, Granularity how,
                       RegionBuilder &regions) {
    if (!function.getBody().hasOneBlock()) {
      function.emitRemark("stays as it is: has control flow between blocks");
      return;
    }
    inferRoles(function);
    Body body(function);
    for (const Node &node : body.nodes)
      if (deservesRemark(node))
        node.op->emitRemark()
            << "'" << torch::opName(node.op)
            << "' stays outside of regions: it " << node.reason;
    rewriteFunction(function, body, partition(body, how), regions);
  }
};
} // namespace
