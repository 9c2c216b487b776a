//===- ThreadKernel.cpp - One thread per output ---------------------------===//
//
// Pointwise ops, and reductions whose outputs are many. A plain floating-point
// reduction is accumulated blockwise: a partial result per step of the outer
// reduction loop, so that the error grows with the blocks, not the elements.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kclaw;

namespace {

/// Elements of one partial result when there is a single reduction loop.
constexpr int64_t blockLength = 64;

/// Builds the loops over the reduction dimensions of one output.
class ReductionLoops {
public:
  ReductionLoops(GenericBody &body, KernelBuilder &kernel,
                 const IRMapping &captured, SmallVector<Value> dims)
      : body(body), kernel(kernel), captured(captured), dims(std::move(dims)) {}

  SmallVector<Value> run(ValueRange starts) {
    bool blockwise = body.combiner &&
                     body.estimate(body.reduced()) > blockLength &&
                     isa<FloatType>(starts.front().getType());
    if (!blockwise)
      return nest(0, starts);
    if (body.reduction.size() > 1)
      return partialPerStep(starts.front());
    return partialPerBlock(starts.front());
  }

private:
  GenericBody &body;
  KernelBuilder &kernel;
  const IRMapping &captured;
  SmallVector<Value> dims;

  using Step = function_ref<SmallVector<Value>(Value, ValueRange)>;
  SmallVector<Value> loop(Value from, Value to, int64_t step,
                          ValueRange carried, Step emit) {
    auto op = scf::ForOp::create(kernel.b, kernel.loc(), from, to,
                                 kernel.index(step), carried);
    OpBuilder::InsertionGuard guard(kernel.b);
    kernel.b.setInsertionPointToEnd(op.getBody());
    SmallVector<Value> next =
        emit(op.getInductionVar(), op.getRegionIterArgs());
    scf::YieldOp::create(kernel.b, kernel.loc(), next);
    return SmallVector<Value>(op.getResults());
  }

  SmallVector<Value> nest(size_t level, ValueRange carried) {
    if (level == body.reduction.size())
      return body.evaluate(kernel, captured, dims, carried);
    unsigned dim = body.reduction[level];
    return loop(kernel.index(0), kernel.index(body.sizes[dim]), 1, carried,
                [&](Value iv, ValueRange inner) {
                  dims[dim] = iv;
                  return nest(level + 1, inner);
                });
  }

  SmallVector<Value> partialPerStep(Value start) {
    unsigned dim = body.reduction[0];
    return loop(kernel.index(0), kernel.index(body.sizes[dim]), 1, start,
                [&](Value iv, ValueRange total) -> SmallVector<Value> {
                  dims[dim] = iv;
                  Value partial = nest(1, body.neutral(kernel)).front();
                  return {body.combine(kernel, total.front(), partial)};
                });
  }

  SmallVector<Value> partialPerBlock(Value start) {
    unsigned dim = body.reduction[0];
    Value end = kernel.index(body.sizes[dim]);
    return loop(kernel.index(0), end, blockLength, start,
                [&](Value from, ValueRange total) -> SmallVector<Value> {
                  Value limit = arith::AddIOp::create(
                      kernel.b, kernel.loc(), from, kernel.index(blockLength));
                  Value to = body.sizes[dim].isMultipleOf(blockLength)
                                 ? limit
                                 : Value(arith::MinUIOp::create(
                                       kernel.b, kernel.loc(), limit, end));
                  Value partial = loop(from, to, 1, body.neutral(kernel),
                                       [&](Value iv, ValueRange inner) {
                                         dims[dim] = iv;
                                         return nest(1, inner);
                                       })
                                      .front();
                  return {body.combine(kernel, total.front(), partial)};
                });
  }
};

} // namespace

LogicalResult kclaw::emitThreadKernel(GenericBody &body, KernelNames &names) {
  Size outputs = body.outputs();
  KernelBuilder kernel(names.module,
                       names.take(body.reduction.empty() ? "map" : "reduce"),
                       body.op, names.sizes);
  IRMapping captured;
  if (failed(body.bind(kernel, captured)))
    return failure();
  bool single = outputs == 1;
  Value id = single ? kernel.index(0) : kernel.globalId();
  int64_t threads = single ? 1 : blockThreads;
  if (!outputs.isMultipleOf(threads)) {
    auto inside = scf::IfOp::create(kernel.b, kernel.loc(),
                                    kernel.less(id, kernel.index(outputs)),
                                    /*withElseRegion=*/false);
    kernel.b.setInsertionPointToStart(inside.thenBlock());
  }
  SmallVector<Value> dims(body.sizes.size());
  if (!body.parallel.empty()) {
    SmallVector<Value> at = kernel.delinearize(id, body.sizesOf(body.parallel));
    for (auto [dim, value] : llvm::zip(body.parallel, at))
      dims[dim] = value;
  }
  SmallVector<Value> values;
  for (unsigned i = 0; i < body.op.getNumDpsInits(); ++i)
    values.push_back(body.start(kernel, i, dims));
  if (body.reduction.empty())
    values = body.evaluate(kernel, captured, dims, values);
  else {
    for (unsigned i = 0; i < values.size(); ++i)
      if (!values[i])
        values[i] = arith::ConstantOp::create(
            kernel.b, kernel.loc(),
            kernel.b.getZeroAttr(body.op.getRegionOutputArgs()[i].getType()));
    values = ReductionLoops(body, kernel, captured, dims).run(values);
  }
  body.store(kernel, dims, values);
  kernel.launch(outputs.ceilDiv(threads), threads);
  return success();
}
