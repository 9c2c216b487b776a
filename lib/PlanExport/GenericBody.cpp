//===- GenericBody.cpp - A linalg.generic seen by the kernels -------------===//
//
// Loop order, body evaluation, start values and combiner matching.
//
//===----------------------------------------------------------------------===//
#include "GenericBody.h"
#include "PrepareTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace kclaw;

static std::optional<Combiner> matchCombiner(linalg::GenericOp generic) {
  if (generic.getNumDpsInits() != 1 || generic.getNumReductionLoops() == 0)
    return std::nullopt;
  BlockArgument out = generic.getRegionOutputArgs().front();
  Operation *op =
      generic.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!op || !out.hasOneUse() || *out.getUsers().begin() != op ||
      op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      op->getBlock() != generic.getBody() ||
      op->getResult(0).getType() != out.getType())
    return std::nullopt;
  if (isa<arith::SubFOp, arith::SubIOp, arith::DivFOp>(op))
    return std::nullopt;
  std::optional<TypedAttr> neutral = arith::getNeutralElement(op);
  if (!neutral)
    return std::nullopt;
  return Combiner{op, *neutral};
}

/// Parallel loops so that consecutive threads write consecutive elements.
static SmallVector<unsigned> parallelOrder(linalg::GenericOp generic) {
  SmallVector<unsigned> all, order;
  generic.getParallelDims(all);
  AffineMap out = generic.getMatchingIndexingMap(generic.getDpsInitOperand(0));
  SmallVector<unsigned> written;
  for (AffineExpr result : out.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      if (!llvm::is_contained(written, dim.getPosition()) &&
          llvm::is_contained(all, dim.getPosition()))
        written.push_back(dim.getPosition());
  for (unsigned dim : all)
    if (!llvm::is_contained(written, dim))
      order.push_back(dim);
  order.append(written);
  return order;
}

/// Of each loop: the static range, else the size that an operand gives it.
static SmallVector<Size> loopSizes(linalg::GenericOp op, HostSizes &host) {
  SmallVector<Size> operandSizes, sizes;
  SmallVector<int64_t> fixed = op.getStaticLoopRanges();
  for (Value operand : op->getOperands())
    for (int64_t i = 0; i < cast<MemRefType>(operand.getType()).getRank(); ++i)
      operandSizes.push_back(ShapedType::isDynamicShape(fixed)
                                 ? host.dim(operand, i)
                                 : host.constant(0));
  AffineMap loops = op.getShapesToLoopsMap();
  for (auto [i, size] : llvm::enumerate(fixed))
    sizes.push_back(ShapedType::isDynamic(size)
                        ? loops.getResult(i).replaceDims(operandSizes)
                        : host.constant(size));
  return sizes;
}

GenericBody::GenericBody(linalg::GenericOp op, HostSizes &hostSizes)
    : op(op), hostSizes(hostSizes), sizes(loopSizes(op, hostSizes)),
      parallel(parallelOrder(op)), combiner(matchCombiner(op)) {
  op.getReductionDims(reduction);
}

SmallVector<Size> GenericBody::sizesOf(ArrayRef<unsigned> loops) const {
  SmallVector<Size> result;
  for (unsigned loop : loops)
    result.push_back(sizes[loop]);
  return result;
}

Size GenericBody::product(ArrayRef<unsigned> loops) const {
  return computeProduct(op->getContext(), sizesOf(loops));
}

bool GenericBody::reducesContiguously() const {
  linalg::GenericOp generic = op;
  if (generic.getNumDpsInputs() == 0 || reduction.empty())
    return false;
  AffineMap map = generic.getMatchingIndexingMap(generic.getDpsInputOperand(0));
  if (map.getNumResults() == 0)
    return false;
  auto last = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1));
  return last && last.getPosition() == reduction.back();
}

LogicalResult GenericBody::bind(KernelBuilder &kernel, IRMapping &captured) {
  for (Value operand : op->getOperands()) {
    FailureOr<Value> local = kernel.buffer(operand);
    if (failed(local))
      return failure();
    buffers.push_back(*local);
  }
  return kernel.mapCaptured(op.getRegion(), captured);
}

SmallVector<Value> GenericBody::evaluate(KernelBuilder &kernel,
                                         const IRMapping &captured,
                                         ValueRange dims,
                                         ValueRange accumulators) {
  IRMapping map(captured);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (argument.use_empty())
      continue;
    SmallVector<Value> at =
        kernel.applyMap(op.getMatchingIndexingMap(operand), dims);
    Value loaded = memref::LoadOp::create(
        kernel.b, kernel.loc(), buffers[operand->getOperandNumber()], at);
    map.map(argument, loaded);
  }
  for (auto [argument, value] :
       llvm::zip(op.getRegionOutputArgs(), accumulators))
    if (value)
      map.map(argument, value);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      map.map(index.getResult(), dims[index.getDim()]);
      continue;
    }
    Operation *copy = kernel.b.clone(inner, map);
    copy->walk([&](linalg::IndexOp index) {
      index.replaceAllUsesWith(dims[index.getDim()]);
      index.erase();
    });
  }
  SmallVector<Value> yielded;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    yielded.push_back(map.lookupOrDefault(value));
  return yielded;
}

static Value cloneSlice(OpBuilder &b, Value value, IRMapping &map) {
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *source = value.getDefiningOp();
  for (Value operand : source->getOperands())
    cloneSlice(b, operand, map);
  b.clone(*source, map);
  return map.lookup(value);
}

Value GenericBody::factorValue(KernelBuilder &kernel, const IRMapping &captured,
                               unsigned input, Value value, ValueRange dims) {
  IRMapping map(captured);
  OpOperand *operand = op.getDpsInputOperand(input);
  SmallVector<Value> at =
      kernel.applyMap(op.getMatchingIndexingMap(operand), dims);
  Value loaded = memref::LoadOp::create(
      kernel.b, kernel.loc(), buffers[operand->getOperandNumber()], at);
  map.map(op.getMatchingBlockArgument(operand), loaded);
  return cloneSlice(kernel.b, value, map);
}

Value GenericBody::start(KernelBuilder &kernel, unsigned output,
                         ValueRange dims) {
  if (op.getRegionOutputArgs()[output].use_empty())
    return nullptr;
  if (auto inits = op->getAttrOfType<ArrayAttr>(initAttrName))
    if (auto constant = dyn_cast<TypedAttr>(inits[output]))
      if (!isa<UnitAttr>(inits[output]))
        return arith::ConstantOp::create(kernel.b, kernel.loc(), constant);
  OpOperand *operand = op.getDpsInitOperand(output);
  SmallVector<Value> at =
      kernel.applyMap(op.getMatchingIndexingMap(operand), dims);
  return memref::LoadOp::create(kernel.b, kernel.loc(),
                                buffers[operand->getOperandNumber()], at);
}

void GenericBody::store(KernelBuilder &kernel, ValueRange dims,
                        ValueRange values) {
  for (auto [output, value] : llvm::enumerate(values)) {
    OpOperand *operand = op.getDpsInitOperand(output);
    SmallVector<Value> at =
        kernel.applyMap(op.getMatchingIndexingMap(operand), dims);
    memref::StoreOp::create(kernel.b, kernel.loc(), value,
                            buffers[operand->getOperandNumber()], at);
  }
}

Value GenericBody::combine(KernelBuilder &kernel, Value a, Value b) {
  IRMapping map;
  map.map(combiner->op->getOperand(0), a);
  map.map(combiner->op->getOperand(1), b);
  return kernel.b.clone(*combiner->op, map)->getResult(0);
}

Value GenericBody::neutral(KernelBuilder &kernel) {
  return arith::ConstantOp::create(kernel.b, kernel.loc(), combiner->neutral);
}
