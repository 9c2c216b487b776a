//===- ExpandMemrefs.cpp - kclaw-expand-memrefs ---------------------------===//
//
// Three upstream passes as one walk. Blocks are left alone: merging them again
// after every iteration takes longer than the patterns on a large module.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace kclaw {
#define GEN_PASS_DEF_EXPANDMEMREFSPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

namespace {
struct ExpandMemrefs : kclaw::impl::ExpandMemrefsPassBase<ExpandMemrefs> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    memref::populateExpandOpsPatterns(patterns);
    memref::populateExpandStridedMetadataPatterns(patterns);
    populateAffineToStdConversionPatterns(patterns);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      getOperation().emitError("views and index arithmetic do not settle");
      signalPassFailure();
    }
  }
};
} // namespace
