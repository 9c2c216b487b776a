//===- PlanSteps.cpp - One plan as claw ops -------------------------------===//
//
// Modules, buffers, then the steps in their order. What is known is evaluated
// by the same code that the worker uses; sizes of dynamic dimensions become
// code.
//
//===----------------------------------------------------------------------===//
#include "StepEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kclaw;

LogicalResult StepEmitter::emitModules() {
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

LogicalResult StepEmitter::emitPrepare() {
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

LogicalResult StepEmitter::emit(const std::string &path,
                                const std::vector<Step> &steps) {
  for (size_t i = 0; i < steps.size(); ++i) {
    where = path + "[" + std::to_string(i) + "]";
    if (failed(
            std::visit([&](const auto &step) { return emit(step); }, steps[i])))
      return failure();
  }
  return success();
}

LogicalResult StepEmitter::emit(const RepeatStep &step) {
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

LogicalResult StepEmitter::emit(const WhenStep &step) {
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

LogicalResult StepEmitter::run(ValueRange inputs, ValueRange results) {
  arguments = inputs;
  if (failed(emitModules()) || failed(emitPersistent()) ||
      failed(emitBuffers(results)) || failed(emitPrepare()))
    return failure();
  return emit("steps", plan.steps);
}

LogicalResult kclaw::emitPlan(EmbedSite site, OpBuilder &builder,
                              const CompiledPlan &compiled,
                              const NameValues &names, ValueRange arguments,
                              ValueRange results) {
  return StepEmitter(site, builder, compiled, names).run(arguments, results);
}
