//===- StepEmitter.cpp - What every step is written with ------------------===//
#include "StepEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kclaw;

InFlightDiagnostic StepEmitter::error(const std::string &what) {
  return emitError(site.loc)
         << site.name << ": plan '" << plan.title << "' " << what;
}

FailureOr<OpFoldResult>
StepEmitter::evaluate(OpBuilder &builder, const Expr &expr, const char *field) {
  Expected<OpFoldResult> value = emitExpr(builder, site.loc, expr, names);
  if (value)
    return *value;
  (void)error("at " + where + "." + field + ": " + value.error().message);
  return failure();
}

FailureOr<Value> StepEmitter::number(const Expr &expr, const char *field,
                                     Type type) {
  FailureOr<OpFoldResult> value = evaluate(b, expr, field);
  if (failed(value))
    return failure();
  if (std::optional<int64_t> fixed = getConstantIntValue(*value))
    return Value(
        arith::ConstantOp::create(b, site.loc, b.getIntegerAttr(type, *fixed)));
  Value index = cast<Value>(*value);
  if (type.isIndex())
    return index;
  return Value(arith::IndexCastOp::create(b, site.loc, type, index));
}

FailureOr<SmallVector<Value>>
StepEmitter::numbers(ArrayRef<Expr> exprs, const char *field, Type type) {
  SmallVector<Value> values;
  for (const Expr &expr : exprs) {
    FailureOr<Value> value = number(expr, field, type);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

FailureOr<Value> StepEmitter::buffer(const std::string &name) {
  auto known = buffers.find(name);
  if (known != buffers.end())
    return known->second;
  (void)error("at " + where + ": unknown buffer '" + name + "'");
  return failure();
}

/// Marks what entry functions have to know of a step.
LogicalResult StepEmitter::mark(Operation *step) {
  if (loops)
    step->setAttr(claw::repeatedAttrName, b.getUnitAttr());
  if (preparing && unprepared)
    step->setAttr(claw::prepareAttrName, b.getUnitAttr());
  return success();
}
