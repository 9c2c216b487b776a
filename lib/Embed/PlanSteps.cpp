//===- PlanSteps.cpp - One plan as claw ops -------------------------------===//
//
// Buffers to memrefs, steps to claw.*_step ops. What is known is evaluated by
// the same code that the worker uses; sizes of dynamic dimensions become code.
//
//===----------------------------------------------------------------------===//
#include "PlanSteps.h"

#include "Types.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/PlanExport/PlanExport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kclaw;

namespace {

/// Workspaces are aligned and padded to this, as everywhere in the arena.
constexpr int64_t workspaceAlignment = 256;

class StepEmitter {
public:
  StepEmitter(EmbedSite site, OpBuilder &builder, const CompiledPlan &compiled,
              const NameValues &values)
      : site(site), b(builder), compiled(compiled), plan(compiled.plan),
        names(values.with(compiled.plan.tunables)) {}

  LogicalResult run(ValueRange inputs, ValueRange results) {
    arguments = inputs;
    if (!plan.prepare.empty())
      return error("has prepare steps, which are not embedded yet");
    if (failed(emitModules()) || failed(emitBuffers(results)))
      return failure();
    for (size_t i = 0; i < plan.steps.size(); ++i) {
      where = "steps[" + std::to_string(i) + "]";
      if (failed(std::visit([&](const auto &step) { return emit(step); },
                            plan.steps[i])))
        return failure();
    }
    return success();
  }

private:
  EmbedSite site;
  OpBuilder &b;
  const CompiledPlan &compiled;
  const Plan &plan;
  const NameValues names;
  ValueRange arguments;
  std::map<std::string, Value> buffers;
  std::map<std::string, std::string> binaries;
  std::string where; ///< path of the step being emitted

  InFlightDiagnostic error(const std::string &what) {
    return emitError(site.loc)
           << site.name << ": plan '" << plan.title << "' " << what;
  }

  FailureOr<OpFoldResult> evaluate(OpBuilder &builder, const Expr &expr,
                                   const char *field) {
    Expected<OpFoldResult> value = emitExpr(builder, site.loc, expr, names);
    if (value)
      return *value;
    (void)error("at " + where + "." + field + ": " + value.error().message);
    return failure();
  }

  FailureOr<Value> number(const Expr &expr, const char *field, Type type) {
    FailureOr<OpFoldResult> value = evaluate(b, expr, field);
    if (failed(value))
      return failure();
    if (std::optional<int64_t> fixed = getConstantIntValue(*value))
      return Value(arith::ConstantOp::create(b, site.loc,
                                             b.getIntegerAttr(type, *fixed)));
    Value index = cast<Value>(*value);
    if (type.isIndex())
      return index;
    return Value(arith::IndexCastOp::create(b, site.loc, type, index));
  }

  FailureOr<Value> buffer(const std::string &name) {
    auto known = buffers.find(name);
    if (known != buffers.end())
      return known->second;
    (void)error("at " + where + ": unknown buffer '" + name + "'");
    return failure();
  }

  LogicalResult emitModules() {
    for (const PlanModule &module : plan.modules) {
      std::string symbol = site.name;
      if (plan.modules.size() > 1)
        symbol += "_" + module.name;
      binaries[module.name] = symbol;
      if (failed(emitBinary(site, symbol, module, compiled)))
        return failure();
    }
    return success();
  }

  LogicalResult emitBuffers(ValueRange results) {
    for (const PlanBuffer &buffer : plan.buffers) {
      where = "buffers '" + buffer.name + "'";
      FailureOr<Value> value = emitBuffer(buffer, results);
      if (failed(value))
        return failure();
      buffers[buffer.name] = *value;
    }
    return success();
  }

  FailureOr<Value> emitBuffer(const PlanBuffer &buffer, ValueRange results) {
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
    (void)error("at " + where + ": persistent buffers are not embedded yet");
    return failure();
  }

  FailureOr<Value> boundary(const PlanBuffer &buffer, ValueRange values) {
    if (buffer.index >= 0 && size_t(buffer.index) < values.size())
      return values[buffer.index];
    (void)error("at " + where + ": index " + std::to_string(buffer.index) +
                " but the region has " + std::to_string(values.size()));
    return failure();
  }

  FailureOr<Value> workspace(const PlanBuffer &buffer) {
    OpBuilder outside(b);
    if (site.sizesBefore)
      outside.setInsertionPoint(site.sizesBefore);
    FailureOr<OpFoldResult> bytes =
        evaluate(outside, buffer.sizeBytes, "sizeBytes");
    if (failed(bytes))
      return failure();
    int64_t padded = ShapedType::kDynamic;
    SmallVector<Value> sizes;
    if (std::optional<int64_t> fixed = getConstantIntValue(*bytes))
      padded = (*fixed + workspaceAlignment - 1) / workspaceAlignment *
               workspaceAlignment;
    else
      sizes.push_back(cast<Value>(*bytes)); // plan-memory pads it
    return Value(memref::AllocOp::create(
        b, site.loc, MemRefType::get({padded}, b.getI8Type()), sizes,
        b.getI64IntegerAttr(workspaceAlignment)));
  }

  FailureOr<Value> constant(const PlanBuffer &buffer) {
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

  FailureOr<SmallVector<Value>> triple(const std::array<Expr, 3> &values,
                                       const char *field) {
    SmallVector<Value> result;
    for (const Expr &expr : values) {
      FailureOr<Value> value = number(expr, field, b.getIndexType());
      if (failed(value))
        return failure();
      result.push_back(*value);
    }
    return result;
  }

  /// The value of an argument; `offsets` gets its byte offset.
  FailureOr<Value> argument(const PlanArg &arg, SmallVector<Value> &offsets) {
    bool isBuffer = arg.kind == PlanArg::Kind::Buffer;
    FailureOr<Value> offset =
        number(isBuffer ? arg.value : Expr(0), "args", b.getI64Type());
    if (failed(offset))
      return failure();
    offsets.push_back(*offset);
    switch (arg.kind) {
    case PlanArg::Kind::Buffer:
      return buffer(arg.buffer);
    case PlanArg::Kind::I32:
      return number(arg.value, "args", b.getI32Type());
    case PlanArg::Kind::I64:
      return number(arg.value, "args", b.getI64Type());
    case PlanArg::Kind::F32:
      return Value(arith::ConstantOp::create(b, site.loc,
                                             b.getF32FloatAttr(arg.number)));
    case PlanArg::Kind::F64:
      if (!arg.buffer.empty())
        return floatArgument(arg.buffer);
      return Value(arith::ConstantOp::create(b, site.loc,
                                             b.getF64FloatAttr(arg.number)));
    case PlanArg::Kind::TensorMap:
      break;
    }
    (void)error("at " + where + ": tensor maps are not embedded yet");
    return failure();
  }

  /// An f64 argument of the region, passed on.
  FailureOr<Value> floatArgument(const std::string &name) {
    for (auto [i, value] : llvm::enumerate(arguments))
      if (value.getType().isF64() && scalarName(i) == name)
        return value;
    (void)error("at " + where + ".args: no f64 argument '" + name + "'");
    return failure();
  }

  LogicalResult emit(const KernelStep &step) {
    auto binary = binaries.find(step.module);
    if (binary == binaries.end())
      return error("at " + where + ": unknown module '" + step.module + "'");
    FailureOr<SmallVector<Value>> grid = triple(step.grid, "grid");
    FailureOr<SmallVector<Value>> block = triple(step.block, "block");
    FailureOr<SmallVector<Value>> cluster = triple(step.cluster, "cluster");
    FailureOr<Value> shared =
        number(step.sharedBytes, "sharedBytes", b.getIndexType());
    if (failed(grid) || failed(block) || failed(cluster) || failed(shared))
      return failure();
    SmallVector<Value> args, offsets;
    for (const PlanArg &arg : step.args) {
      FailureOr<Value> value = argument(arg, offsets);
      if (failed(value))
        return failure();
      args.push_back(*value);
    }
    auto kernel = SymbolRefAttr::get(
        b.getContext(), binary->second,
        {FlatSymbolRefAttr::get(b.getContext(), step.entry)});
    claw::KernelStepOp::create(b, site.loc, kernel, *grid, *block, *cluster,
                               *shared, args, offsets, step.cooperative);
    return success();
  }

  LogicalResult emit(const MemsetStep &step) {
    Type i64 = b.getI64Type();
    FailureOr<Value> target = buffer(step.buffer);
    FailureOr<Value> offset = number(step.offset, "offset", i64);
    FailureOr<Value> bytes = number(step.bytes, "bytes", i64);
    if (failed(target) || failed(offset) || failed(bytes))
      return failure();
    claw::MemsetStepOp::create(b, site.loc, *target, *offset, *bytes,
                               step.value);
    return success();
  }

  LogicalResult emit(const CopyStep &step) {
    Type i64 = b.getI64Type();
    FailureOr<Value> values[] = {buffer(step.source),
                                 number(step.sourceOffset, "sourceOffset", i64),
                                 number(step.sourcePitch, "sourcePitch", i64),
                                 buffer(step.target),
                                 number(step.targetOffset, "targetOffset", i64),
                                 number(step.targetPitch, "targetPitch", i64),
                                 number(step.rowBytes, "rowBytes", i64),
                                 number(step.rows, "rows", i64)};
    for (const FailureOr<Value> &value : values)
      if (failed(value))
        return failure();
    claw::CopyStepOp::create(b, site.loc, *values[0], *values[1], *values[2],
                             *values[3], *values[4], *values[5], *values[6],
                             *values[7]);
    return success();
  }
};

} // namespace

LogicalResult kclaw::emitPlan(EmbedSite site, OpBuilder &builder,
                              const CompiledPlan &compiled,
                              const NameValues &names, ValueRange arguments,
                              ValueRange results) {
  return StepEmitter(site, builder, compiled, names).run(arguments, results);
}
