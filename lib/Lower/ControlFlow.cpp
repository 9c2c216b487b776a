//===- ControlFlow.cpp - kclaw-control-flow -------------------------------===//
//
// Upstream's patterns, last op first: each splits its block and moves what
// comes after it, which is then no more than the way to the op lowered before.
// In program order the same thousand loops move the whole rest each time.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace kclaw {
#define GEN_PASS_DEF_CONTROLFLOWPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

/// Outer before inner, later before earlier.
static SmallVector<Operation *> structuredOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&ops](Operation *op) {
    if (isa<scf::SCFDialect>(op->getDialect()) &&
        !op->hasTrait<OpTrait::IsTerminator>())
      ops.push_back(op);
  });
  std::reverse(ops.begin(), ops.end());
  return ops;
}

namespace {
struct ControlFlow : kclaw::impl::ControlFlowPassBase<ControlFlow> {
  void runOnOperation() override {
    RewritePatternSet set(&getContext());
    populateSCFToControlFlowConversionPatterns(set);
    FrozenRewritePatternSet patterns(std::move(set));
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    // A pattern may make other structured ops: scf.parallel becomes scf.for.
    for (auto ops = structuredOps(getOperation()); !ops.empty();
         ops = structuredOps(getOperation()))
      for (Operation *op : ops) {
        rewriter.setInsertionPoint(op);
        if (failed(applicator.matchAndRewrite(op, rewriter))) {
          op->emitError("cannot be lowered to branches");
          return signalPassFailure();
        }
      }
  }
};
} // namespace
