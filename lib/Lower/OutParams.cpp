//===- OutParams.cpp - Results become arguments ---------------------------===//
//
// The caller owns results: an entry gets one memref argument per result. A
// returned allocation becomes that argument; anything else is copied, which is
// right for arguments, views and values that are returned twice.
//
//===----------------------------------------------------------------------===//
#include "Entries.h"
#include "SizeFunction.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace kclaw {
#define GEN_PASS_DEF_OUTPARAMSPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

/// memref of identity layout for a result; rank 0 for a scalar.
static FailureOr<MemRefType> outType(func::FuncOp entry, unsigned index) {
  Type type = entry.getResultTypes()[index];
  if (auto memref = dyn_cast<MemRefType>(type))
    return MemRefType::get(memref.getShape(), memref.getElementType());
  if (type.isInteger(64) || type.isInteger(1) || type.isF64())
    return MemRefType::get({}, type);
  return entry.emitError("result ")
         << index << " has type " << type
         << "; a tensor or a Torch scalar (i64, f64, i1) expected";
}

static DictionaryAttr outAttributes(func::FuncOp entry, unsigned index) {
  NamedAttrList attributes(entry.getResultAttrDict(index));
  if (!isa<MemRefType>(entry.getResultTypes()[index]))
    attributes.set(kclaw::scalarAttrName, UnitAttr::get(entry.getContext()));
  return attributes.getDictionary(entry.getContext());
}

/// NAME__shapes(arguments) returns the dynamic sizes of the results, in order.
static LogicalResult makeShapes(func::FuncOp entry, func::ReturnOp exit) {
  SmallVector<Value> sizes;
  OpBuilder builder(exit);
  for (Value value : exit.getOperands())
    if (auto type = dyn_cast<MemRefType>(value.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(kclaw::sizeOf(builder, value, dim));
  std::string name = (entry.getName() + "__shapes").str();
  LogicalResult made =
      kclaw::makeSizeFunction(entry, name, sizes, entry.getArguments());
  for (Value size : sizes)
    size.getDefiningOp()->erase();
  return made;
}

/// Makes `value` appear in `target`, in place where that is possible.
static void deliver(Value value, BlockArgument target, func::ReturnOp exit) {
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  if (alloc && alloc->getBlock() == exit->getBlock() &&
      alloc.getType() == target.getType()) {
    alloc.replaceAllUsesWith(static_cast<Value>(target));
    alloc.erase();
    return;
  }
  OpBuilder builder(exit);
  if (isa<MemRefType>(value.getType()))
    memref::CopyOp::create(builder, exit.getLoc(), value, target);
  else
    memref::StoreOp::create(builder, exit.getLoc(), value, target);
}

static LogicalResult convertEntry(func::FuncOp entry) {
  if (!entry.getBody().hasOneBlock())
    return entry.emitError("entry has several blocks; one expected");
  auto exit = cast<func::ReturnOp>(entry.getBody().front().getTerminator());
  unsigned numResults = entry.getNumResults();
  if (failed(makeShapes(entry, exit)))
    return failure();

  unsigned first = entry.getNumArguments();
  for (unsigned i = 0; i < numResults; ++i) {
    FailureOr<MemRefType> type = outType(entry, i);
    if (failed(type) ||
        failed(entry.insertArgument(first + i, *type, outAttributes(entry, i),
                                    entry.getLoc())))
      return failure();
  }
  for (unsigned i = 0; i < numResults; ++i)
    deliver(exit.getOperand(i), entry.getArgument(first + i), exit);
  exit->setOperands({});
  llvm::BitVector all(numResults, true);
  if (failed(entry.eraseResults(all)))
    return failure();
  entry->setAttr(kclaw::numResultsAttrName,
                 Builder(entry.getContext()).getI64IntegerAttr(numResults));
  return success();
}

/// An entry that has its result arguments already returns their dynamic sizes.
static LogicalResult takeSizes(func::FuncOp entry) {
  auto exit = cast<func::ReturnOp>(entry.getBody().front().getTerminator());
  int64_t results =
      entry->getAttrOfType<IntegerAttr>(kclaw::numResultsAttrName).getInt();
  if (exit->getNumOperands() == 0)
    return success();
  if (failed(kclaw::makeSizeFunction(
          entry, (entry.getName() + "__shapes").str(), exit.getOperands(),
          ValueRange(entry.getArguments()).drop_back(results))))
    return failure();
  llvm::BitVector all(exit->getNumOperands(), true);
  exit->setOperands({});
  return entry.eraseResults(all);
}

namespace {
struct OutParams : kclaw::impl::OutParamsPassBase<OutParams> {
  void runOnOperation() override {
    for (func::FuncOp entry : kclaw::entriesOf(getOperation()))
      if (failed(entry->hasAttr(kclaw::numResultsAttrName)
                     ? takeSizes(entry)
                     : convertEntry(entry)))
        return signalPassFailure();
  }
};
} // namespace
