//===- PlanBuffers.cpp - A plan's buffers as memrefs ----------------------===//
//
// Arguments and results are the region's own; the rest are bytes.
//
//===----------------------------------------------------------------------===//
#include "StepEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kclaw;

/// Workspaces are aligned and padded to this, as everywhere in the arena.
static constexpr int64_t workspaceAlignment = 256;

static int64_t padded(int64_t bytes) {
  return (bytes + workspaceAlignment - 1) / workspaceAlignment *
         workspaceAlignment;
}

FailureOr<Value> StepEmitter::boundary(const PlanBuffer &buffer,
                                       ValueRange values) {
  if (buffer.index >= 0 && size_t(buffer.index) < values.size())
    return values[buffer.index];
  (void)error("at " + where + ": index " + std::to_string(buffer.index) +
              " but the region has " + std::to_string(values.size()));
  return failure();
}

FailureOr<Value> StepEmitter::constant(const PlanBuffer &buffer) {
  int64_t size = buffer.data.size();
  auto type = MemRefType::get({size}, b.getI8Type());
  std::string symbol = site.name + "_" + buffer.name;
  ArrayRef<char> bytes(reinterpret_cast<const char *>(buffer.data.data()),
                       buffer.data.size());
  OpBuilder top = OpBuilder::atBlockBegin(site.module.getBody());
  memref::GlobalOp::create(
      top, site.loc, symbol, top.getStringAttr("private"), type,
      DenseElementsAttr::getFromRawBuffer(
          RankedTensorType::get({size}, b.getI8Type()), bytes),
      /*constant=*/true, top.getI64IntegerAttr(16));
  return Value(memref::GetGlobalOp::create(b, site.loc, type, symbol));
}

FailureOr<Value> StepEmitter::workspace(const PlanBuffer &buffer) {
  OpBuilder outside(b);
  if (site.sizesBefore)
    outside.setInsertionPoint(site.sizesBefore);
  FailureOr<OpFoldResult> bytes =
      evaluate(outside, buffer.sizeBytes, "sizeBytes");
  if (failed(bytes))
    return failure();
  int64_t size = ShapedType::kDynamic;
  SmallVector<Value> sizes;
  if (std::optional<int64_t> fixed = getConstantIntValue(*bytes))
    size = padded(*fixed);
  else
    sizes.push_back(cast<Value>(*bytes)); // plan-memory pads it
  return Value(memref::AllocOp::create(
      b, site.loc, MemRefType::get({size}, b.getI8Type()), sizes,
      b.getI64IntegerAttr(workspaceAlignment)));
}

/// Persistent buffers of a known size share one claw.persistent; one of a
/// dynamic size makes all of them workspaces, prepared in each call.
LogicalResult StepEmitter::emitPersistent() {
  SmallVector<std::pair<const PlanBuffer *, int64_t>> sizes;
  int64_t total = 0;
  for (const PlanBuffer &buffer : plan.buffers) {
    if (buffer.kind != PlanBuffer::Kind::Persistent)
      continue;
    where = "buffers '" + buffer.name + "'";
    FailureOr<OpFoldResult> bytes = evaluate(b, buffer.sizeBytes, "sizeBytes");
    if (failed(bytes))
      return failure();
    std::optional<int64_t> fixed = getConstantIntValue(*bytes);
    if (!fixed)
      return success();
    sizes.push_back({&buffer, padded(*fixed)});
    total += padded(*fixed);
  }
  if (total == 0)
    return success();
  auto type = MemRefType::get({total}, b.getI8Type());
  Value fallback = memref::AllocOp::create(
      b, site.loc, type, b.getI64IntegerAttr(workspaceAlignment));
  auto all =
      claw::PersistentOp::create(b, site.loc, type, b.getI1Type(), fallback);
  unprepared = all.getPrepare();
  int64_t offset = 0;
  for (auto [buffer, bytes] : sizes) {
    Value start = arith::ConstantIndexOp::create(b, site.loc, offset);
    buffers[buffer->name] = memref::ViewOp::create(
        b, site.loc, MemRefType::get({bytes}, b.getI8Type()), all.getBuffer(),
        start, ValueRange());
    offset += bytes;
  }
  return success();
}

FailureOr<Value> StepEmitter::emitBuffer(const PlanBuffer &buffer,
                                         ValueRange results) {
  switch (buffer.kind) {
  case PlanBuffer::Kind::Argument:
    return boundary(buffer, arguments);
  case PlanBuffer::Kind::Result:
    return boundary(buffer, results);
  case PlanBuffer::Kind::Constant:
    return constant(buffer);
  case PlanBuffer::Kind::Workspace:
    return workspace(buffer);
  case PlanBuffer::Kind::Persistent:
    break;
  }
  auto prepared = buffers.find(buffer.name);
  return prepared != buffers.end() ? FailureOr<Value>(prepared->second)
                                   : workspace(buffer);
}

LogicalResult StepEmitter::emitBuffers(ValueRange results) {
  for (const PlanBuffer &buffer : plan.buffers) {
    where = "buffers '" + buffer.name + "'";
    FailureOr<Value> value = emitBuffer(buffer, results);
    if (failed(value))
      return failure();
    buffers[buffer.name] = *value;
  }
  return success();
}
