//===- KernelBuilder.cpp - One GPU kernel under construction --------------===//
//
// Arguments, views, thread ids and index arithmetic of kernels.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace kclaw;

Value kclaw::rootBuffer(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>())
    view = op.getViewSource();
  return view;
}

/// A cast may only hide the static layout of its source.
static Value skipCasts(Value view) {
  while (auto cast = view.getDefiningOp<memref::CastOp>())
    view = cast.getSource();
  return view;
}

KernelBuilder::KernelBuilder(gpu::GPUModuleOp module, StringRef name,
                             Operation *site)
    : b(module.getContext()), site(site) {
  b.setInsertionPointToEnd(module.getBody());
  function = gpu::GPUFuncOp::create(b, site->getLoc(), name,
                                    b.getFunctionType({}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  b.setInsertionPointToEnd(&function.getBody().front());
}

FailureOr<Value> KernelBuilder::buffer(Value view) {
  view = skipCasts(view);
  if (Value known = views.lookup(view))
    return known;
  auto type = cast<MemRefType>(view.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return site->emitOpError("reads or writes ")
           << type
           << ", whose shape, offset or strides are not static; GPU kernels "
              "need static ones";
  Value root = rootBuffer(view);
  OpBuilder::InsertionGuard guard(b);
  Value argument = views.lookup(root);
  if (!argument) {
    unsigned position = function.getNumArguments();
    (void)function.insertArgument(position, root.getType(), {}, loc());
    argument = function.getArgument(position);
    views[root] = argument;
    hostArguments.push_back(root);
  }
  if (view == root)
    return argument;
  b.setInsertionPointToStart(&function.getBody().front());
  auto local =
      MemRefType::get(type.getShape(), type.getElementType(),
                      StridedLayoutAttr::get(b.getContext(), offset, strides));
  Value cast = memref::ReinterpretCastOp::create(
      b, loc(), local, argument, offset, type.getShape(), strides);
  views[view] = cast;
  return cast;
}

Value KernelBuilder::sharedBuffer(int64_t elements, Type elementType) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({elements}, elementType,
                              MemRefLayoutAttrInterface(), space);
  return function.addWorkgroupAttribution(type, loc());
}

LogicalResult KernelBuilder::mapCaptured(Region &region, IRMapping &map) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(region, captured);
  for (Value value : captured) {
    if (map.contains(value))
      continue;
    if (isa<MemRefType>(value.getType())) {
      FailureOr<Value> local = buffer(value);
      if (failed(local))
        return failure();
      map.map(value, *local);
      continue;
    }
    Operation *source = value.getDefiningOp();
    if (!source || !source->hasTrait<OpTrait::ConstantLike>())
      return site->emitOpError("uses a host scalar of type ")
             << value.getType()
             << " that is not a constant; outline it with the region";
    b.clone(*source, map);
  }
  return success();
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc(), value);
}

Value KernelBuilder::blockId() {
  return gpu::BlockIdOp::create(b, loc(), gpu::Dimension::x);
}

Value KernelBuilder::threadId() {
  return gpu::ThreadIdOp::create(b, loc(), gpu::Dimension::x);
}

Value KernelBuilder::globalId() {
  Value base = arith::MulIOp::create(b, loc(), blockId(), index(blockThreads));
  return arith::AddIOp::create(b, loc(), base, threadId());
}

SmallVector<Value> KernelBuilder::delinearize(Value linear,
                                              ArrayRef<int64_t> sizes) {
  int64_t total = 1;
  for (int64_t size : sizes)
    total *= size;
  bool narrow = total < (int64_t(1) << 31);
  Type type = narrow ? Type(b.getI32Type()) : Type(b.getIndexType());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc(), b.getIntegerAttr(type, value));
  };
  auto toIndex = [&](Value value) -> Value {
    return narrow ? Value(arith::IndexCastUIOp::create(b, loc(),
                                                       b.getIndexType(), value))
                  : value;
  };
  if (sizes.size() == 1)
    return {linear};
  Value rest = narrow
                   ? Value(arith::IndexCastUIOp::create(b, loc(), type, linear))
                   : linear;
  SmallVector<Value> coordinates(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) {
      coordinates[i] = index(0);
      continue;
    }
    if (llvm::all_of(sizes.take_front(i), [](int64_t s) { return s == 1; })) {
      coordinates[i] = toIndex(rest);
      rest = constant(0);
      continue;
    }
    Value size = constant(sizes[i]);
    coordinates[i] = toIndex(arith::RemUIOp::create(b, loc(), rest, size));
    rest = arith::DivUIOp::create(b, loc(), rest, size);
  }
  return coordinates;
}

SmallVector<Value> KernelBuilder::applyMap(AffineMap map, ValueRange dims) {
  std::optional<SmallVector<Value, 8>> results =
      affine::expandAffineMap(b, loc(), map, dims);
  return SmallVector<Value>(results->begin(), results->end());
}

Value KernelBuilder::less(Value a, Value c) {
  return arith::CmpIOp::create(b, loc(), arith::CmpIPredicate::ult, a, c);
}

void KernelBuilder::launch(int64_t blocks, int64_t threads) {
  b.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(b, loc());
  function.setKnownBlockSize(
      ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
  OpBuilder host(site);
  Value one = arith::ConstantIndexOp::create(host, loc(), 1);
  Value grid = arith::ConstantIndexOp::create(host, loc(), blocks);
  Value block = arith::ConstantIndexOp::create(host, loc(), threads);
  gpu::LaunchFuncOp::create(
      host, loc(), function, gpu::KernelDim3{grid, one, one},
      gpu::KernelDim3{block, one, one}, Value(), hostArguments);
}
