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
                             Operation *site, HostSizes &sizes)
    : b(module.getContext()), sizes(sizes), site(site) {
  b.setInsertionPointToEnd(module.getBody());
  function = gpu::GPUFuncOp::create(b, site->getLoc(), name,
                                    b.getFunctionType({}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  b.setInsertionPointToEnd(&function.getBody().front());
}

/// A kernel argument for the host value.
Value KernelBuilder::addArgument(Value host) {
  unsigned position = function.getNumArguments();
  (void)function.insertArgument(position, host.getType(), {}, loc());
  hostArguments.push_back(host);
  return function.getArgument(position);
}

/// The argument for a root buffer; of one of dynamic size only the base
/// pointer, as a memref of rank 0.
Value KernelBuilder::rootArgument(Value root) {
  Value &argument = views[root];
  auto type = cast<MemRefType>(root.getType());
  if (argument)
    return argument;
  if (type.hasStaticShape())
    return argument = addArgument(root);
  OpBuilder host(site);
  SmallVector<OpFoldResult> none;
  return argument = addArgument(memref::ReinterpretCastOp::create(
             host, loc(), MemRefType::get({}, type.getElementType()), root,
             host.getIndexAttr(0), none, none));
}

/// A view of dynamic layout from the base pointer and its sizes; null when the
/// layout is not known.
Value KernelBuilder::dynamicView(Value view, Value root) {
  Layout layout = sizes.layout(view);
  if (!layout.offset)
    return {};
  Value base = rootArgument(root);
  SmallVector<int64_t> fixedOffset, fixedSizes, fixedStrides;
  auto list = [&](ArrayRef<Size> from, SmallVectorImpl<int64_t> &fixed) {
    SmallVector<OpFoldResult> values;
    for (Size size : from) {
      std::optional<int64_t> value = constantSize(size);
      fixed.push_back(value.value_or(ShapedType::kDynamic));
      values.push_back(value ? OpFoldResult(b.getIndexAttr(*value))
                             : OpFoldResult(index(size)));
    }
    return values;
  };
  OpFoldResult offset = list(layout.offset, fixedOffset).front();
  SmallVector<OpFoldResult> extents = list(layout.sizes, fixedSizes);
  SmallVector<OpFoldResult> strides = list(layout.strides, fixedStrides);
  auto type = MemRefType::get(
      fixedSizes, cast<MemRefType>(view.getType()).getElementType(),
      StridedLayoutAttr::get(b.getContext(), fixedOffset.front(),
                             fixedStrides));
  b.setInsertionPointToStart(&function.getBody().front());
  return memref::ReinterpretCastOp::create(b, loc(), type, base, offset,
                                           extents, strides);
}

static bool isStatic(MemRefType type, SmallVectorImpl<int64_t> &strides,
                     int64_t &offset) {
  return type.hasStaticShape() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides);
}

FailureOr<Value> KernelBuilder::buffer(Value view) {
  view = skipCasts(view);
  Value root = rootBuffer(view);
  auto type = cast<MemRefType>(view.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  OpBuilder::InsertionGuard guard(b);
  if (!cast<MemRefType>(root.getType()).hasStaticShape() ||
      !isStatic(type, strides, offset)) {
    Value &known = dynamicViews[view];
    if (!known)
      known = dynamicView(view, root);
    if (!known)
      return site->emitOpError("reads or writes ")
             << type
             << ", whose offset or strides are not known on the host; GPU "
                "kernels need them before they run";
    return known;
  }
  if (Value known = views.lookup(view))
    return known;
  Value argument = rootArgument(root);
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
    if (source && source->hasTrait<OpTrait::ConstantLike>()) {
      b.clone(*source, map);
      continue;
    }
    FailureOr<Value> local = scalar(value);
    if (failed(local))
      return failure();
    map.map(value, *local);
  }
  return success();
}

/// A host scalar as an argument by value; booleans travel as i32.
FailureOr<Value> KernelBuilder::scalar(Value value) {
  Type type = value.getType();
  if (type.isIndex())
    return index(sizes.of(value));
  Value &known = views[value];
  if (known)
    return known;
  if (type.isInteger(64) || type.isInteger(32) || type.isF64())
    return known = addArgument(value);
  if (!type.isInteger(1))
    return site->emitOpError("uses a host scalar of type ")
           << type << "; only integers, f64 and booleans are passed to kernels";
  OpBuilder host(site);
  OpBuilder::InsertionGuard guard(b);
  Value wide = addArgument(
      arith::ExtUIOp::create(host, loc(), host.getI32Type(), value));
  b.setInsertionPointToStart(&function.getBody().front());
  return known = arith::TruncIOp::create(b, loc(), type, wide);
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc(), value);
}

Value KernelBuilder::index(Size size) {
  if (std::optional<int64_t> value = constantSize(size))
    return index(*value);
  Value &argument = indices[size];
  if (!argument) {
    OpBuilder host(site);
    argument = addArgument(sizes.materialize(host, loc(), size));
  }
  return argument;
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
                                              ArrayRef<Size> sizes) {
  int64_t total = 1;
  bool known = llvm::all_of(
      sizes, [](Size size) { return constantSize(size).has_value(); });
  for (Size size : sizes)
    total *= constantSize(size).value_or(1);
  bool narrow = known && total < (int64_t(1) << 31);
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
    if (llvm::all_of(sizes.take_front(i), [](Size s) { return s == 1; })) {
      coordinates[i] = toIndex(rest);
      rest = constant(0);
      continue;
    }
    Value size = narrow ? constant(*constantSize(sizes[i])) : index(sizes[i]);
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

void KernelBuilder::launch(Size blocks, int64_t threads) {
  b.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(b, loc());
  function.setKnownBlockSize(
      ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
  OpBuilder host(site);
  Value one = arith::ConstantIndexOp::create(host, loc(), 1);
  Value grid = sizes.materialize(host, loc(), blocks);
  Value block = arith::ConstantIndexOp::create(host, loc(), threads);
  gpu::LaunchFuncOp::create(
      host, loc(), function, gpu::KernelDim3{grid, one, one},
      gpu::KernelDim3{block, one, one}, Value(), hostArguments);
}
