//===- SequentialKernel.cpp - A host loop as one thread -------------------===//
//
// The last resort for loops that read and write device memory element by
// element: the whole nest runs in one GPU thread, with the linalg ops inside it
// as plain loops. Slow, but right, and nothing waits for the host.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace kclaw;

/// memref.copy and linalg ops inside the nest become scalar loops.
static LogicalResult toScalarLoops(Operation *loop) {
  IRRewriter rewriter(loop->getContext());
  SmallVector<memref::CopyOp> copies;
  loop->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    rewriter.setInsertionPoint(copy);
    linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    rewriter.eraseOp(copy);
  }
  SmallVector<linalg::LinalgOp> ops;
  loop->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op->emitOpError("cannot run inside a sequential kernel");
    rewriter.eraseOp(op);
  }
  SmallVector<memref::AllocOp> allocs;
  loop->walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  for (memref::AllocOp alloc : allocs)
    alloc->moveBefore(loop);
  return success();
}

LogicalResult kclaw::emitSequentialKernel(Operation *loop, KernelNames &names) {
  if (failed(toScalarLoops(loop)))
    return failure();
  if (loop->getNumResults() != 0)
    return loop->emitOpError("carries buffers from step to step; a GPU kernel "
                             "cannot; unroll it or write it in place");
  KernelBuilder kernel(names.module, names.take("sequential"), loop,
                       names.sizes);
  IRMapping map;
  for (Region &region : loop->getRegions())
    if (failed(kernel.mapCaptured(region, map)))
      return failure();
  for (Value operand : loop->getOperands())
    if (Operation *source = operand.getDefiningOp();
        source && !map.contains(operand) &&
        source->hasTrait<OpTrait::ConstantLike>())
      kernel.b.clone(*source, map);
  for (Value operand : loop->getOperands()) {
    if (map.contains(operand))
      continue;
    if (!operand.getType().isIndex())
      return loop->emitOpError("has bounds or a condition of type ")
             << operand.getType() << " that are not constants or sizes";
    map.map(operand, kernel.index(names.sizes.of(operand)));
  }
  kernel.b.clone(*loop, map);
  kernel.launch(names.sizes.constant(1), 1);
  return success();
}
