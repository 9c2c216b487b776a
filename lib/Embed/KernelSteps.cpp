//===- KernelSteps.cpp - Launches of kernels ------------------------------===//
#include "StepEmitter.h"

#include "kernelclaw/PlanExport/PlanExport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kclaw;

/// An f64 argument of the region, passed on.
FailureOr<Value> StepEmitter::floatArgument(const std::string &name) {
  for (auto [i, value] : llvm::enumerate(arguments))
    if (value.getType().isF64() && scalarName(i) == name)
      return value;
  (void)error("at " + where + ".args: no f64 argument '" + name + "'");
  return failure();
}

/// The value of an argument; `offsets` gets its byte offset.
FailureOr<Value> StepEmitter::argument(const PlanArg &arg,
                                       SmallVector<Value> &offsets) {
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
    return Value(
        arith::ConstantOp::create(b, site.loc, b.getF32FloatAttr(arg.number)));
  case PlanArg::Kind::F64:
    if (!arg.buffer.empty())
      return floatArgument(arg.buffer);
    return Value(
        arith::ConstantOp::create(b, site.loc, b.getF64FloatAttr(arg.number)));
  case PlanArg::Kind::TensorMap:
    break;
  }
  return tensorMap(arg.buffer);
}

LogicalResult StepEmitter::emit(const KernelStep &step) {
  auto binary = binaries.find(step.module);
  if (binary == binaries.end())
    return error("at " + where + ": unknown module '" + step.module + "'");
  Type index = b.getIndexType();
  FailureOr<SmallVector<Value>> grid = numbers(step.grid, "grid", index);
  FailureOr<SmallVector<Value>> block = numbers(step.block, "block", index);
  FailureOr<SmallVector<Value>> cluster =
      numbers(step.cluster, "cluster", index);
  FailureOr<Value> shared = number(step.sharedBytes, "sharedBytes", index);
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
  auto kernel =
      SymbolRefAttr::get(b.getContext(), binary->second,
                         {FlatSymbolRefAttr::get(b.getContext(), step.entry)});
  return mark(claw::KernelStepOp::create(b, site.loc, kernel, *grid, *block,
                                         *cluster, *shared, args, offsets,
                                         step.cooperative));
}
