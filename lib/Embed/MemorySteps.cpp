//===- MemorySteps.cpp - Fills and copies ---------------------------------===//
#include "StepEmitter.h"

using namespace mlir;
using namespace kclaw;

LogicalResult StepEmitter::emit(const MemsetStep &step) {
  Type i64 = b.getI64Type();
  FailureOr<Value> target = buffer(step.buffer);
  FailureOr<Value> offset = number(step.offset, "offset", i64);
  FailureOr<Value> bytes = number(step.bytes, "bytes", i64);
  if (failed(target) || failed(offset) || failed(bytes))
    return failure();
  return mark(claw::MemsetStepOp::create(b, site.loc, *target, *offset, *bytes,
                                         step.value));
}

LogicalResult StepEmitter::emit(const CopyStep &step) {
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
