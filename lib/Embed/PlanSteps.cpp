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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kclaw;

namespace {

/// Workspaces are aligned and padded to this, as everywhere in the arena.
constexpr int64_t workspaceAlignment = 256;

/// kcl_element, which this layer does not see.
int32_t elementOf(DType type) {
  constexpr std::pair<DType, int32_t> rows[] = {
      {DType::f64, 1},  {DType::f32, 2}, {DType::f16, 3},
      {DType::bf16, 4}, {DType::i8, 5},  {DType::i32, 6}};
  for (auto [from, to] : rows)
    if (from == type)
      return to;
  return 0;
}

class StepEmitter {
public:
  StepEmitter(EmbedSite site, OpBuilder &builder, const CompiledPlan &compiled,
              const NameValues &values)
      : site(site), b(builder), compiled(compiled), plan(compiled.plan),
        names(values.with(compiled.plan.tunables)) {}

  LogicalResult run(ValueRange inputs, ValueRange results) {
    arguments = inputs;
    if (failed(emitModules()) || failed(emitPersistent()) ||
        failed(emitBuffers(results)) || failed(emitPrepare()))
      return failure();
    return emit("steps", plan.steps);
  }

private:
  EmbedSite site;
  OpBuilder &b;
  const CompiledPlan &compiled;
  const Plan &plan;
  NameValues names; ///< and the indices of the loops around
  ValueRange arguments;
  std::map<std::string, Value> buffers;
  SmallVector<std::pair<Value, Value>> flags; ///< of the whens around
  int loops = 0;                              ///< around
  Value unprepared; ///< i1; null: prepare in each call, or nothing to prepare
  bool preparing = false;
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
    auto prepared = buffers.find(buffer.name);
    return prepared != buffers.end() ? FailureOr<Value>(prepared->second)
                                     : workspace(buffer);
  }

  /// Persistent buffers of a known size share one claw.persistent; one of a
  /// dynamic size makes all of them workspaces, prepared in each call.
  LogicalResult emitPersistent() {
    SmallVector<std::pair<const PlanBuffer *, int64_t>> sizes;
    int64_t total = 0;
    for (const PlanBuffer &buffer : plan.buffers) {
      if (buffer.kind != PlanBuffer::Kind::Persistent)
        continue;
      where = "buffers '" + buffer.name + "'";
      FailureOr<OpFoldResult> bytes =
          evaluate(b, buffer.sizeBytes, "sizeBytes");
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

  LogicalResult emitPrepare() {
    if (plan.prepare.empty())
      return success();
    OpBuilder::InsertionGuard restore(b);
    preparing = true;
    if (unprepared) {
      auto todo = scf::IfOp::create(b, site.loc, unprepared,
                                    /*withElseRegion=*/false);
      b.setInsertionPointToStart(todo.thenBlock());
    }
    LogicalResult done = emit("prepare", plan.prepare);
    preparing = false;
    return done;
  }

  static int64_t padded(int64_t bytes) {
    return (bytes + workspaceAlignment - 1) / workspaceAlignment *
           workspaceAlignment;
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
    return numbers(values, field, b.getIndexType());
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
    return tensorMap(arg.buffer);
  }

  FailureOr<SmallVector<Value>> numbers(ArrayRef<Expr> exprs, const char *field,
                                        Type type) {
    SmallVector<Value> values;
    for (const Expr &expr : exprs) {
      FailureOr<Value> value = number(expr, field, type);
      if (failed(value))
        return failure();
      values.push_back(*value);
    }
    return values;
  }

  /// Encoded right in front of the kernel that takes it: the addresses are
  /// those of the call.
  FailureOr<Value> tensorMap(const std::string &name) {
    auto map = llvm::find_if(plan.tensorMaps, [&](const PlanTensorMap &each) {
      return each.name == name;
    });
    if (map == plan.tensorMaps.end()) {
      (void)error("at " + where + ".args: no tensor map '" + name + "'");
      return failure();
    }
    Type i64 = b.getI64Type(), i32 = b.getI32Type();
    FailureOr<Value> source = buffer(map->buffer);
    FailureOr<Value> offset = number(map->offset, "offset", i64);
    FailureOr<SmallVector<Value>> dims = numbers(map->dims, "dims", i64);
    FailureOr<SmallVector<Value>> strides =
        numbers(tensorMapStrides(*map), "strides", i64);
    FailureOr<SmallVector<Value>> box = numbers(map->box, "box", i32);
    FailureOr<SmallVector<Value>> steps =
        numbers(tensorMapElementStrides(*map), "elementStrides", i32);
    FailureOr<SmallVector<Value>> modes =
        numbers({map->swizzle, map->interleave, map->l2Promotion, map->nanFill},
                "modes", i32);
    if (failed(source) || failed(offset) || failed(dims) || failed(strides) ||
        failed(box) || failed(steps) || failed(modes))
      return failure();
    return Value(claw::TensorMapOp::create(
        b, site.loc, MemRefType::get({128}, b.getI8Type()), *source, *offset,
        static_cast<uint32_t>(map->element), *dims, *strides, *box, *steps,
        *modes));
  }

  /// An f64 argument of the region, passed on.
  FailureOr<Value> floatArgument(const std::string &name) {
    for (auto [i, value] : llvm::enumerate(arguments))
      if (value.getType().isF64() && scalarName(i) == name)
        return value;
    (void)error("at " + where + ".args: no f64 argument '" + name + "'");
    return failure();
  }

  LogicalResult emit(const std::string &path, const std::vector<Step> &steps) {
    for (size_t i = 0; i < steps.size(); ++i) {
      where = path + "[" + std::to_string(i) + "]";
      if (failed(std::visit([&](const auto &step) { return emit(step); },
                            steps[i])))
        return failure();
    }
    return success();
  }

  LogicalResult emit(const RepeatStep &step) {
    std::string path = where;
    Type index = b.getIndexType();
    FailureOr<Value> count = number(step.count, "count", index);
    if (failed(count))
      return failure();
    OpBuilder::InsertionGuard restore(b);
    Value zero = arith::ConstantIndexOp::create(b, site.loc, 0);
    Value one = arith::ConstantIndexOp::create(b, site.loc, 1);
    auto loop = scf::ForOp::create(b, site.loc, zero, *count, one);
    b.setInsertionPointToStart(loop.getBody());
    names.dynamic[step.name] = loop.getInductionVar();
    ++loops;
    LogicalResult done = emit(path + ".steps", step.steps);
    --loops;
    names.dynamic.erase(step.name);
    return done;
  }

  LogicalResult emit(const WhenStep &step) {
    std::string path = where;
    FailureOr<Value> flag = buffer(step.buffer);
    FailureOr<Value> offset = number(step.offset, "offset", b.getI64Type());
    if (failed(flag) || failed(offset))
      return failure();
    flags.push_back({*flag, *offset});
    LogicalResult done = emit(path + ".steps", step.steps);
    flags.pop_back();
    return done;
  }

  /// Marks what entry functions have to know of a step.
  LogicalResult mark(Operation *step) {
    if (loops)
      step->setAttr(claw::repeatedAttrName, b.getUnitAttr());
    if (preparing && unprepared)
      step->setAttr(claw::prepareAttrName, b.getUnitAttr());
    return success();
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
    for (auto [flag, offset] : flags) {
      args.push_back(flag);
      offsets.push_back(offset);
    }
    auto kernel = SymbolRefAttr::get(
        b.getContext(), binary->second,
        {FlatSymbolRefAttr::get(b.getContext(), step.entry)});
    return mark(claw::KernelStepOp::create(b, site.loc, kernel, *grid, *block,
                                           *cluster, *shared, args, offsets,
                                           step.cooperative));
  }

  LogicalResult emit(const MemsetStep &step) {
    Type i64 = b.getI64Type();
    FailureOr<Value> target = buffer(step.buffer);
    FailureOr<Value> offset = number(step.offset, "offset", i64);
    FailureOr<Value> bytes = number(step.bytes, "bytes", i64);
    if (failed(target) || failed(offset) || failed(bytes))
      return failure();
    return mark(claw::MemsetStepOp::create(b, site.loc, *target, *offset,
                                           *bytes, step.value));
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
    return mark(claw::CopyStepOp::create(b, site.loc, *values[0], *values[1],
                                         *values[2], *values[3], *values[4],
                                         *values[5], *values[6], *values[7]));
  }

  /// The buffer and byte offset of a place, at the end of the lists.
  LogicalResult addPlace(const PlanPlace &place, SmallVector<Value> &buffers,
                         SmallVector<Value> &offsets) {
    FailureOr<Value> memref = buffer(place.buffer);
    FailureOr<Value> offset = number(place.offset, "offset", b.getIndexType());
    if (failed(memref) || failed(offset))
      return failure();
    buffers.push_back(*memref);
    offsets.push_back(*offset);
    return success();
  }

  /// The bytes of a library step's workspace, as the plan has it.
  const Expr &scratchBytes(const std::string &name) const {
    static const Expr none(0);
    for (const PlanBuffer &buffer : plan.buffers)
      if (buffer.name == name)
        return buffer.sizeBytes;
    return none;
  }

  LogicalResult emit(const MatmulStep &step) {
    SmallVector<Value> buffers, offsets, numbers;
    SmallVector<const Expr *> sizes = {&step.m, &step.n, &step.k, &step.batch};
    SmallVector<int32_t> elements, transposed;
    for (const PlanMatrix *matrix : {&step.a, &step.b, &step.c, &step.d}) {
      bool unused = matrix == &step.c && step.beta == 0;
      if (!unused && failed(addPlace(matrix->place, buffers, offsets)))
        return failure();
      sizes.append({&matrix->ld, &matrix->batchStride});
      elements.push_back(elementOf(unused ? step.d.dtype : matrix->dtype));
      transposed.push_back(matrix->transposed);
    }
    if (step.bias.present() && failed(addPlace(step.bias, buffers, offsets)))
      return failure();
    if (!step.workspace.empty() &&
        failed(addPlace({step.workspace, Expr(0)}, buffers, offsets)))
      return failure();
    sizes.push_back(&scratchBytes(step.workspace));
    for (const Expr *size : sizes) {
      FailureOr<Value> value = number(*size, "sizes", b.getIndexType());
      if (failed(value))
        return failure();
      numbers.push_back(*value);
    }
    return mark(claw::MatmulStepOp::create(
        b, site.loc, buffers, offsets, numbers,
        b.getDenseI32ArrayAttr(elements), b.getDenseI32ArrayAttr(transposed),
        b.getF64FloatAttr(step.alpha), b.getF64FloatAttr(step.beta),
        b.getI32IntegerAttr(int32_t(step.compute)),
        b.getI32IntegerAttr(int32_t(step.epilogue)),
        b.getStringAttr(step.choice)));
  }

  LogicalResult emit(const ConvolutionStep &step) {
    SmallVector<Value> buffers, offsets;
    for (const PlanPlace *place :
         {&step.input, &step.weight, &step.bias, &step.output})
      if ((place != &step.bias || place->present()) &&
          failed(addPlace(*place, buffers, offsets)))
        return failure();
    if (!step.workspace.empty() &&
        failed(addPlace({step.workspace, Expr(0)}, buffers, offsets)))
      return failure();
    SmallVector<int64_t> sizes;
    auto addSize = [&](const Expr &expr) -> LogicalResult {
      FailureOr<OpFoldResult> value = evaluate(b, expr, "sizes");
      std::optional<int64_t> fixed =
          failed(value) ? std::nullopt : getConstantIntValue(*value);
      if (!fixed)
        return error("at " + where +
                     ": the sizes of a convolution must be "
                     "known when the module is made");
      sizes.push_back(*fixed);
      return success();
    };
    for (const Expr *size :
         {&step.batch, &step.inChannels, &step.outChannels, &step.groups})
      if (failed(addSize(*size)))
        return failure();
    for (const std::vector<Expr> *list :
         {&step.in, &step.out, &step.kernel, &step.stride, &step.dilation,
          &step.padBefore, &step.padAfter})
      for (size_t d = 0; d < 3; ++d)
        if (failed(addSize(d < list->size() ? (*list)[d] : Expr(0))))
          return failure();
    if (failed(addSize(scratchBytes(step.workspace))))
      return failure();
    int32_t flags[] = {elementOf(step.dtype), step.tf32, step.transposed,
                       step.channelsLast, int32_t(step.in.size())};
    return mark(claw::ConvolutionStepOp::create(
        b, site.loc, buffers, offsets, step.bias.present(),
        b.getDenseI32ArrayAttr(flags), b.getDenseI64ArrayAttr(sizes),
        b.getStringAttr(step.choice)));
  }
};

} // namespace

LogicalResult kclaw::emitPlan(EmbedSite site, OpBuilder &builder,
                              const CompiledPlan &compiled,
                              const NameValues &names, ValueRange arguments,
                              ValueRange results) {
  return StepEmitter(site, builder, compiled, names).run(arguments, results);
}
