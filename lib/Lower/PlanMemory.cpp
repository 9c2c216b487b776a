//===- PlanMemory.cpp - Temporaries into one arena ------------------------===//
//
// Replaces every memref.alloc of an entry by a view into an arena that the
// caller provides. Aliases are followed conservatively: whatever an op that
// takes a buffer returns as a memref is counted as that buffer.
//
//===----------------------------------------------------------------------===//
#include "Arena.h"
#include "SizeFunction.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"
#include "kernelclaw/Support/ByteSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace kclaw {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

/// Bytes of one element in memory; booleans take one.
static uint64_t elementBytes(Type type) {
  return type.isIndex() ? 8 : (type.getIntOrFloatBitWidth() + 7) / 8;
}

namespace {
struct Planner {
  explicit Planner(func::FuncOp entry) : entry(entry) {}

  func::FuncOp entry;
  llvm::DenseMap<Operation *, uint64_t> positions;

  uint64_t position(Operation *op) {
    Block &body = entry.getBody().front();
    return positions.lookup(body.findAncestorOpInBlock(*op));
  }
  FailureOr<kclaw::LiveBuffer> interval(memref::AllocOp alloc);
};
} // namespace

/// Adds every value that may be the same memory as a use of `value`.
static void collectAliases(OpOperand &use, SmallVectorImpl<Value> &aliases) {
  Operation *user = use.getOwner();
  ValueRange results = user->getResults();
  if (user->hasTrait<OpTrait::IsTerminator>())
    results = user->getParentOp()->getResults();
  for (Value result : results)
    if (isa<BaseMemRefType>(result.getType()))
      aliases.push_back(result);
  for (Region &region : user->getRegions())
    for (Value argument : region.getArguments())
      if (isa<BaseMemRefType>(argument.getType()))
        aliases.push_back(argument);
}

FailureOr<kclaw::LiveBuffer> Planner::interval(memref::AllocOp alloc) {
  kclaw::LiveBuffer buffer;
  buffer.begin = buffer.end = position(alloc);
  SmallVector<Value> worklist{alloc.getResult()};
  llvm::SmallPtrSet<void *, 8> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      auto loop = dyn_cast<LoopLikeOpInterface>(user->getParentOp());
      if (loop && user->hasTrait<OpTrait::IsTerminator>() &&
          loop->isProperAncestor(alloc))
        return alloc.emitError("temporary of one loop iteration is handed to "
                               "the next; it has no place in the arena");
      buffer.end = std::max(buffer.end, position(user));
      collectAliases(use, worklist);
    }
  }
  return buffer;
}

/// What is known of an allocation's bytes without its dynamic sizes.
static FailureOr<int64_t> knownBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  std::optional<int64_t> bytes =
      kclaw::byteSize(type.getShape(), elementBytes(type.getElementType()));
  if (!bytes)
    return alloc.emitError("temporary of type ")
           << type << " has more than 2^63-1 bytes";
  return *bytes;
}

/// Bytes of an allocation as an index value, rounded up to the arena's step.
static Value dynamicBytes(OpBuilder &builder, memref::AllocOp alloc) {
  Location loc = alloc.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value bytes = constant(*knownBytes(alloc));
  for (Value size : alloc.getDynamicSizes())
    bytes = arith::MulIOp::create(builder, loc, bytes, size);
  Value step = constant(kclaw::arenaAlignmentBytes);
  Value steps = arith::CeilDivUIOp::create(builder, loc, bytes, step);
  return arith::MulIOp::create(builder, loc, steps, step);
}

/// Where a dynamic size is known at the start of the function, its allocation
/// can be placed; move it and its sizes' ops no further than needed: an
/// allocation inside a nested region must take its sizes from outside of it.
static LogicalResult checkPlaced(memref::AllocOp alloc, Block &body) {
  if (alloc->getBlock() == &body)
    return success();
  for (Value size : alloc.getDynamicSizes()) {
    Operation *op = size.getDefiningOp();
    Block *block = op ? op->getBlock() : size.getParentBlock();
    if (block != &body)
      return alloc.emitError("temporary in a nested region has a size that is "
                             "computed there; it has no place in the arena");
  }
  return success();
}

static void replaceByView(memref::AllocOp alloc, Value arena, Value offset) {
  OpBuilder builder(alloc);
  Value view = memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(),
                                      arena, offset, alloc.getDynamicSizes());
  alloc.replaceAllUsesWith(view);
  alloc.erase();
}

/// Offsets of dynamic temporaries: the running sum of their sizes, computed
/// right before the op of the body that holds each. Returns the total.
static Value placeDynamic(ArrayRef<memref::AllocOp> allocs, Value arena,
                          uint64_t staticBytes, func::FuncOp entry) {
  Block &body = entry.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Value total = arith::ConstantIndexOp::create(builder, entry.getLoc(),
                                               int64_t(staticBytes));
  for (memref::AllocOp alloc : allocs) {
    builder.setInsertionPoint(body.findAncestorOpInBlock(*alloc));
    Value bytes = dynamicBytes(builder, alloc);
    Value offset = total;
    total = arith::AddIOp::create(builder, alloc.getLoc(), total, bytes);
    replaceByView(alloc, arena, offset);
  }
  return total;
}

static LogicalResult planEntry(func::FuncOp entry) {
  Block &body = entry.getBody().front();
  if (!entry.getBody().hasOneBlock())
    return entry.emitError("entry has several blocks; one expected");
  Planner planner(entry);
  for (auto [index, op] : llvm::enumerate(body))
    planner.positions[&op] = index;

  SmallVector<memref::AllocOp> fixed, dynamic;
  std::vector<kclaw::LiveBuffer> buffers;
  WalkResult walk = entry.walk([&](memref::AllocOp alloc) {
    FailureOr<kclaw::LiveBuffer> buffer = planner.interval(alloc);
    FailureOr<int64_t> bytes = knownBytes(alloc);
    if (failed(buffer) || failed(bytes) || failed(checkPlaced(alloc, body)))
      return WalkResult::interrupt();
    if (!alloc.getType().hasStaticShape()) {
      dynamic.push_back(alloc);
      return WalkResult::advance();
    }
    buffer->sizeBytes = *bytes;
    buffers.push_back(*buffer);
    fixed.push_back(alloc);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  entry.walk([](memref::DeallocOp dealloc) { dealloc.erase(); });

  kclaw::ArenaPlan plan = kclaw::planArena(buffers);
  if (plan.sizeBytes > uint64_t(std::numeric_limits<int64_t>::max()))
    return entry.emitError("temporaries have more than 2^63-1 bytes together");
  Builder types(entry.getContext());
  auto arenaType = MemRefType::get({ShapedType::kDynamic}, types.getI8Type());
  unsigned last = entry.getNumArguments();
  if (failed(entry.insertArgument(last, arenaType, {}, entry.getLoc())))
    return failure();
  Value arena = entry.getArgument(last);
  for (auto [alloc, offset] : llvm::zip(fixed, plan.offsets)) {
    OpBuilder builder(alloc);
    replaceByView(alloc, arena,
                  arith::ConstantIndexOp::create(builder, alloc.getLoc(),
                                                 int64_t(offset)));
  }
  Value total = placeDynamic(dynamic, arena, plan.sizeBytes, entry);
  return kclaw::makeSizeFunction(entry, (entry.getName() + "__arena").str(),
                                 total, entry.getArguments());
}

namespace {
struct PlanMemory : kclaw::impl::PlanMemoryPassBase<PlanMemory> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kclaw::numResultsAttrName))
        entries.push_back(function);
    for (func::FuncOp entry : entries)
      if (failed(planEntry(entry)))
        return signalPassFailure();
  }
};
} // namespace
