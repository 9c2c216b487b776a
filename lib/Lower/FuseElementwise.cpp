//===- FuseElementwise.cpp - Pointwise producers into their users ---------===//
//
// Upstream's patterns with a stricter choice. Upstream fuses a producer that
// reads its own output (an accumulator without reduction loops) into a larger
// iteration space, which adds up too often; and it recomputes a producer for
// every iteration of a contraction.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace kclaw {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

/// Whether the consumer visits each element of the producer once.
static bool visitsOnce(OpOperand &operand, linalg::GenericOp consumer) {
  return consumer.getMatchingIndexingMap(&operand).isPermutation();
}

static bool readsOwnOutput(linalg::GenericOp producer) {
  return llvm::any_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
    return producer.payloadUsesValueFromOperand(&init);
  });
}

static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return producer && consumer && producer->hasOneUse() &&
         !readsOwnOutput(producer) && visitsOnce(*operand, consumer);
}

namespace {
struct FuseElementwise : kclaw::impl::FuseElementwisePassBase<FuseElementwise> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
