//===- PrepareTensors.cpp - Generalize, unroll, fuse ----------------------===//
//
// The tensor-level half of kclaw-linalg-to-gpu. After it every op that computes
// is a linalg.generic with as much pointwise work fused in as pays off.
//
//===----------------------------------------------------------------------===//
#include "PrepareTensors.h"
#include "HostSizes.h"

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace {

/// Host loops longer than this stay loops and become one sequential kernel.
constexpr int64_t unrollLimit = 64;
/// Operands a fused kernel may read; more would only cost registers.
constexpr int64_t fusedInputsLimit = 16;

/// tensor.from_elements and tensor.splat as generics, so that they become
/// kernels like everything else.
struct FromElementsToInserts : OpRewritePattern<tensor::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::FromElementsOp op,
                                PatternRewriter &rewriter) const override {
    auto type = op.getType();
    if (op.getElements().size() != 1)
      return rewriter.notifyMatchFailure(op, "more than one element");
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getElements().front(),
                                                empty);
    return success();
  }
};

struct SplatToFill : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    auto type = op.getType();
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                type.getElementType(), op.getDynamicSizes());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
    return success();
  }
};

/// A fill with a value known only on the device becomes a generic, whose body
/// then reads that value (see sinkScalars).
bool isConstantFill(linalg::FillOp fill) {
  return matchPattern(fill.getInputs().front(), m_Constant());
}

LogicalResult generalizeNamedOps(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::LinalgOp> named;
  module.walk([&](linalg::LinalgOp op) {
    auto fill = dyn_cast<linalg::FillOp>(op.getOperation());
    if (!isa<linalg::GenericOp>(op) && !(fill && isConstantFill(fill)))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return op->emitOpError("cannot be written as linalg.generic");
  }
  return success();
}

/// An integer that the host computes from sizes and integer arguments: kernels
/// take it by value. Constants alone are not.
bool isHostInteger(Value value, bool &hasLeaf) {
  if (!value.getType().isIntOrIndex())
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || isa<tensor::DimOp>(op)) {
    bool isLeaf =
        op ||
        isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
    hasLeaf |= isLeaf;
    return isLeaf;
  }
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isHostInteger(operand, hasLeaf);
         });
}

bool hasDynamicShapes(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool dynamic = llvm::any_of(op->getResultTypes(), [](Type type) {
          auto shaped = dyn_cast<ShapedType>(type);
          return shaped && !shaped.hasStaticShape();
        });
        return dynamic ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isHostInteger(Value value) {
  bool hasLeaf = false;
  return isHostInteger(value, hasLeaf) && hasLeaf;
}

/// Clones other host scalar arithmetic and tensor.extract into the bodies that
/// use it: device data is never read on the host.
void sinkScalars(linalg::GenericOp generic) {
  Region &body = generic.getRegion();
  OpBuilder builder(&body.front(), body.front().begin());
  llvm::SetVector<Value> captured;
  for (bool changed = true; changed;) {
    changed = false;
    captured.clear();
    getUsedValuesDefinedAbove(body, captured);
    for (Value value : captured) {
      Operation *source = value.getDefiningOp();
      if (!source || isa<ShapedType>(value.getType()) || !isPure(source) ||
          source->getNumRegions() != 0 || isHostInteger(value))
        continue;
      builder.setInsertionPointToStart(&body.front());
      Operation *copy = builder.clone(*source);
      for (auto [from, to] :
           llvm::zip(source->getResults(), copy->getResults()))
        replaceAllUsesInRegionWith(from, to, body);
      changed = true;
    }
  }
}

/// A fused scalar operand of a generic (`ins(%x : f32)`) is read in the body
/// instead, so that only tensors are operands.
void captureScalarOperands(linalg::GenericOp generic) {
  for (OpOperand *operand : generic.getDpsInputOperands()) {
    if (isa<ShapedType>(operand->get().getType()))
      continue;
    BlockArgument argument = generic.getMatchingBlockArgument(operand);
    argument.replaceAllUsesWith(operand->get());
  }
}

LogicalResult unrollHostLoops(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  module.walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
    if (!loop->getParentOfType<linalg::LinalgOp>())
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (trips && trips->sle(unrollLimit) && failed(loopUnrollFull(loop)))
      return loop.emitOpError("with a known trip count cannot be unrolled");
  }
  return success();
}

/// Moves data or changes its type only: repeating it costs nothing.
bool isCheap(linalg::GenericOp producer) {
  return llvm::all_of(producer.getBody()->without_terminator(), [](Operation
                                                                       &op) {
    return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtUIOp, arith::ExtSIOp,
               arith::SIToFPOp, arith::ConstantOp, linalg::IndexOp>(op);
  });
}

int64_t iterations(linalg::GenericOp op) {
  int64_t product = 1;
  for (int64_t size : op.getStaticLoopRanges())
    product *= ShapedType::isDynamic(size) ? kclaw::typicalSize : size;
  return product;
}

/// Fuse when nothing is computed twice: one consumer that visits each element
/// once. Data movement is fused into anything but several consumers.
bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer ||
      producer->getParentOp() != consumer->getParentOp())
    return false;
  if (consumer->hasAttr(kclaw::initAttrName))
    return false;
  // An accumulator without reduction loops would add up once an iteration.
  for (OpOperand &init : producer.getDpsInitsMutable())
    if (producer.payloadUsesValueFromOperand(&init))
      return false;
  bool cheap = isCheap(producer);
  if (!cheap && !llvm::all_of(producer->getUsers(), [&](Operation *user) {
        return user == consumer.getOperation();
      }))
    return false;
  if (producer.getNumDpsInputs() + consumer.getNumDpsInputs() >
      fusedInputsLimit)
    return false;
  if (cheap)
    return true;
  return iterations(consumer) <= iterations(producer);
}

/// Reshapes move out of the way only between pointwise ops.
bool shouldMoveReshape(OpOperand *operand) {
  auto isPointwise = [](Operation *op) {
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
    return generic && generic.getNumParallelLoops() == generic.getNumLoops();
  };
  Operation *producer = operand->get().getDefiningOp();
  if (!producer || !producer->hasOneUse())
    return false;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(producer))
    producer = producer->getOperand(0).getDefiningOp();
  return producer && producer->hasOneUse() && isPointwise(producer) &&
         isPointwise(operand->getOwner());
}

/// Notes constant start values and detaches the output from its fill, so that
/// no kernel fills a buffer that the next one overwrites.
void foldInits(linalg::GenericOp generic) {
  OpBuilder builder(generic);
  SmallVector<Attribute> inits;
  bool any = false;
  for (OpOperand &init : generic.getDpsInitsMutable()) {
    Attribute value;
    BlockArgument argument = generic.getMatchingBlockArgument(&init);
    if (auto fill = init.get().getDefiningOp<linalg::FillOp>())
      matchPattern(fill.getInputs().front(), m_Constant(&value));
    else if (SplatElementsAttr splat;
             matchPattern(init.get(), m_Constant(&splat)))
      value = splat.getSplatValue<Attribute>();
    auto type = cast<RankedTensorType>(init.get().getType());
    if (argument.use_empty())
      value = nullptr;
    if (value || argument.use_empty()) {
      if (!init.get().getDefiningOp<tensor::ExtractSliceOp>())
        init.set(tensor::EmptyOp::create(
            builder, generic.getLoc(),
            tensor::getMixedSizes(builder, generic.getLoc(), init.get()),
            type.getElementType()));
    }
    any |= value != nullptr;
    inits.push_back(value ? value : builder.getUnitAttr());
  }
  if (any)
    generic->setAttr(kclaw::initAttrName, builder.getArrayAttr(inits));
}

LogicalResult rewriteGreedily(ModuleOp module,
                              function_ref<void(RewritePatternSet &)> fill) {
  RewritePatternSet patterns(module.getContext());
  fill(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

LogicalResult cleanUp(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(module);
}

/// The fills and empties that foldInits left without a reader; sizes of what
/// ops make become sizes of what they take.
LogicalResult eraseDead(ModuleOp module) {
  PassManager pm(module.getContext());
  if (hasDynamicShapes(module)) {
    pm.addPass(memref::createResolveShapedTypeResultDimsPass());
    pm.addPass(createCSEPass());
  }
  pm.addPass(createCanonicalizerPass());
  return pm.run(module);
}

} // namespace

LogicalResult kclaw::prepareTensors(ModuleOp module) {
  // Sizes are checked by the entry (kclaw-size-checks). What depends on data,
  // such as an index that is out of range, is not checked on a device: wrong
  // data are undefined there (docs/Architecture.md).
  module.walk([](Operation *op) {
    if (isa<cf::AssertOp, claw::RequireOp>(op))
      op->erase();
  });
  if (failed(unrollHostLoops(module)))
    return failure();
  if (failed(rewriteGreedily(module, [](RewritePatternSet &patterns) {
        patterns.add<FromElementsToInserts, SplatToFill>(patterns.getContext());
        tensor::populateDecomposeTensorConcatPatterns(patterns);
        linalg::populateDecomposePadPatterns(patterns);
      })))
    return failure();
  if (failed(generalizeNamedOps(module)) || failed(cleanUp(module)))
    return failure();
  module.walk(captureScalarOperands);
  module.walk(sinkScalars);
  if (failed(rewriteGreedily(module, [](RewritePatternSet &patterns) {
        MLIRContext *context = patterns.getContext();
        linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
        linalg::populateFoldReshapeOpsByExpansionPatterns(patterns,
                                                          shouldMoveReshape);
        linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
        linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
        tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
        tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
        tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
      })))
    return failure();
  if (failed(cleanUp(module)))
    return failure();
  module.walk(captureScalarOperands);
  module.walk(sinkScalars);
  module.walk(foldInits);
  return eraseDead(module);
}
