//===- BlockKernel.cpp - One block per output -----------------------------===//
//
// Threads stride over the reduction, then combine through shared memory. With
// few outputs and a long reduction, blocks take chunks and write partials that
// a second kernel of the same kind combines.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"
#include "PrepareTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kclaw;

namespace {

constexpr int64_t fewOutputs = 16384;   ///< one thread each leaves SMs idle
constexpr int64_t longReduction = 1024; ///< worth a block, few outputs
constexpr int64_t wideRow = 64;         ///< worth a block, contiguous rows
constexpr int64_t targetBlocks = 1056;  ///< 8 for each of 132 SMs
constexpr int64_t chunkMinimum = 16 * blockThreads;

int64_t chunksFor(const GenericBody &body) {
  int64_t outputs = body.estimate(body.outputs());
  int64_t byBlocks = targetBlocks / std::max<int64_t>(outputs, 1);
  int64_t byLength = body.estimate(body.reduced()) / chunkMinimum;
  return std::max<int64_t>(1, std::min(byBlocks, byLength));
}

/// Combines the values of all threads; valid in thread 0.
Value combineThreads(GenericBody &body, KernelBuilder &kernel, Value value) {
  OpBuilder &b = kernel.b;
  Location loc = kernel.loc();
  Value shared = kernel.sharedBuffer(blockThreads, value.getType());
  Value thread = kernel.threadId();
  memref::StoreOp::create(b, loc, value, shared, thread);
  for (int64_t half = blockThreads / 2; half > 0; half /= 2) {
    gpu::BarrierOp::create(b, loc);
    auto active =
        scf::IfOp::create(b, loc, kernel.less(thread, kernel.index(half)),
                          /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(active.thenBlock());
    Value other = arith::AddIOp::create(b, loc, thread, kernel.index(half));
    Value mine = memref::LoadOp::create(b, loc, shared, thread);
    Value theirs = memref::LoadOp::create(b, loc, shared, other);
    memref::StoreOp::create(b, loc, body.combine(kernel, mine, theirs), shared,
                            thread);
  }
  return memref::LoadOp::create(b, loc, shared, kernel.index(0));
}

/// The loop of one thread over its part of [from, to).
Value stridedReduction(GenericBody &body, KernelBuilder &kernel,
                       const IRMapping &captured, SmallVector<Value> dims,
                       Value from, Value to) {
  OpBuilder &b = kernel.b;
  Location loc = kernel.loc();
  Value first = arith::AddIOp::create(b, loc, from, kernel.threadId());
  auto loop = scf::ForOp::create(b, loc, first, to, kernel.index(blockThreads),
                                 body.neutral(kernel));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> at =
      kernel.delinearize(loop.getInductionVar(), body.sizesOf(body.reduction));
  for (auto [dim, value] : llvm::zip(body.reduction, at))
    dims[dim] = value;
  Value next =
      body.evaluate(kernel, captured, dims, loop.getRegionIterArgs()).front();
  scf::YieldOp::create(b, loc, next);
  return loop.getResult(0);
}

/// A generic that combines `partials` (parallel loops, then chunks) into the
/// output of `body`, with its start value.
linalg::GenericOp secondStage(GenericBody &body, Value partials) {
  OpBuilder b(body.op);
  MLIRContext *context = b.getContext();
  unsigned loops = body.parallel.size() + 1;
  SmallVector<AffineExpr> renumbered(body.sizes.size(),
                                     getAffineConstantExpr(0, context));
  for (auto [position, dim] : llvm::enumerate(body.parallel))
    renumbered[dim] = getAffineDimExpr(position, context);
  AffineMap out = body.op.getMatchingIndexingMap(body.op.getDpsInitOperand(0))
                      .replaceDimsAndSymbols(renumbered, {}, loops, 0);
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  Operation *combiner = body.combiner->op;
  auto generic = linalg::GenericOp::create(
      b, body.op.getLoc(), ValueRange{partials},
      ValueRange{body.op.getDpsInits().front()},
      ArrayRef<AffineMap>{b.getMultiDimIdentityMap(loops), out}, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        IRMapping map;
        map.map(combiner->getOperand(0), arguments[0]);
        map.map(combiner->getOperand(1), arguments[1]);
        Operation *copy = inner.clone(*combiner, map);
        linalg::YieldOp::create(inner, loc, copy->getResults());
      });
  if (Attribute inits = body.op->getAttr(initAttrName))
    generic->setAttr(initAttrName, inits);
  return generic;
}

LogicalResult emitOneStage(GenericBody &body, KernelNames &names) {
  KernelBuilder kernel(names.module, names.take("reduce_block"), body.op,
                       names.sizes);
  IRMapping captured;
  if (failed(body.bind(kernel, captured)))
    return failure();
  SmallVector<Value> dims(body.sizes.size());
  SmallVector<Value> at =
      kernel.delinearize(kernel.blockId(), body.sizesOf(body.parallel));
  for (auto [dim, value] : llvm::zip(body.parallel, at))
    dims[dim] = value;
  Value partial =
      stridedReduction(body, kernel, captured, dims, kernel.index(0),
                       kernel.index(body.reduced()));
  Value total = combineThreads(body, kernel, partial);
  auto first = scf::IfOp::create(
      kernel.b, kernel.loc(), kernel.less(kernel.threadId(), kernel.index(1)),
      /*withElseRegion=*/false);
  kernel.b.setInsertionPointToStart(first.thenBlock());
  Value start = body.start(kernel, 0, dims);
  body.store(kernel, dims, body.combine(kernel, start, total));
  kernel.launch(body.outputs(), blockThreads);
  return success();
}

/// A temporary of the accumulator's type.
Value allocate(OpBuilder &host, GenericBody &body, HostSizes &sizes,
               ArrayRef<Size> space) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (Size size : space) {
    shape.push_back(constantSize(size).value_or(ShapedType::kDynamic));
    if (ShapedType::isDynamic(shape.back()))
      dynamic.push_back(sizes.materialize(host, body.op.getLoc(), size));
  }
  Type type = body.op.getRegionOutputArgs().front().getType();
  return memref::AllocOp::create(host, body.op.getLoc(),
                                 MemRefType::get(shape, type), dynamic);
}

LogicalResult emitTwoStages(GenericBody &body, KernelNames &names,
                            int64_t chunks) {
  OpBuilder host(body.op);
  SmallVector<Size> space = body.sizesOf(body.parallel);
  space.push_back(names.sizes.constant(chunks));
  Value partials = allocate(host, body, names.sizes, space);
  KernelBuilder kernel(names.module, names.take("reduce_chunk"), body.op,
                       names.sizes);
  IRMapping captured;
  if (failed(body.bind(kernel, captured)))
    return failure();
  FailureOr<Value> target = kernel.buffer(partials);
  SmallVector<Value> at = kernel.delinearize(kernel.blockId(), space);
  SmallVector<Value> dims(body.sizes.size());
  for (auto [dim, value] : llvm::zip(body.parallel, at))
    dims[dim] = value;
  Size length = body.reduced().ceilDiv(chunks);
  OpBuilder &b = kernel.b;
  Location loc = kernel.loc();
  Value from = arith::MulIOp::create(b, loc, at.back(), kernel.index(length));
  Value limit = arith::AddIOp::create(b, loc, from, kernel.index(length));
  Value to =
      arith::MinUIOp::create(b, loc, limit, kernel.index(body.reduced()));
  Value partial = stridedReduction(body, kernel, captured, dims, from, to);
  Value total = combineThreads(body, kernel, partial);
  auto first =
      scf::IfOp::create(b, loc, kernel.less(kernel.threadId(), kernel.index(1)),
                        /*withElseRegion=*/false);
  b.setInsertionPointToStart(first.thenBlock());
  memref::StoreOp::create(b, loc, total, *target, at);
  kernel.launch(body.outputs() * chunks, blockThreads);

  linalg::GenericOp second = secondStage(body, partials);
  GenericBody combined(second, names.sizes);
  LogicalResult result = emitOneStage(combined, names);
  second.erase();
  return result;
}

} // namespace

bool kclaw::wantsBlockPerOutput(const GenericBody &body) {
  if (!body.combiner)
    return false;
  int64_t reduced = body.estimate(body.reduced());
  if (body.estimate(body.outputs()) < fewOutputs && reduced >= longReduction)
    return true;
  return body.reducesContiguously() && reduced >= wideRow;
}

LogicalResult kclaw::emitBlockKernel(GenericBody &body, KernelNames &names) {
  int64_t chunks = chunksFor(body);
  if (chunks > 1)
    return emitTwoStages(body, names, chunks);
  return emitOneStage(body, names);
}
