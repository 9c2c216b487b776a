//===- MemorySteps.cpp - Fills, copies and the place of prepared buffers --===//
#include "StepLowering.h"

using namespace mlir;
using namespace kclaw::claw;

namespace kclaw {

LogicalResult StepLowering::lower(MemsetStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  store(b, loc, step, offsetof(kcl_memset_step, target),
        address(b, loc, op.getTarget(), op.getOffset()));
  store(b, loc, step, offsetof(kcl_memset_step, bytes), op.getBytes());
  store(b, loc, step, offsetof(kcl_memset_step, value),
        data.constant(b, loc, data.i32, op.getValue()));
  store(b, loc, step, offsetof(kcl_memset_step, reserved),
        data.constant(b, loc, data.i32, 0));
  check(op, data.call(b, loc, "kclStepMemset", {step, call}));
  return success();
}

LogicalResult StepLowering::lower(CopyStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  store(b, loc, step, offsetof(kcl_copy_step, source),
        address(b, loc, op.getSource(), op.getSourceOffset()));
  store(b, loc, step, offsetof(kcl_copy_step, target),
        address(b, loc, op.getTarget(), op.getTargetOffset()));
  store(b, loc, step, offsetof(kcl_copy_step, source_pitch),
        op.getSourcePitch());
  store(b, loc, step, offsetof(kcl_copy_step, target_pitch),
        op.getTargetPitch());
  store(b, loc, step, offsetof(kcl_copy_step, row_bytes), op.getRowBytes());
  store(b, loc, step, offsetof(kcl_copy_step, rows), op.getRows());
  check(op, data.call(b, loc, "kclStepCopy", {step, call}));
  return success();
}

/// In the prepared buffers that the call brings, else in the workspace.
LogicalResult StepLowering::lower(PersistentOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto offset = op->getAttrOfType<IntegerAttr>(persistentOffsetAttrName);
  if (!offset) {
    op.getBuffer().replaceAllUsesWith(op.getFallback());
    op.getPrepare().replaceAllUsesWith(
        arith::ConstantIntOp::create(b, loc, 1, 1).getResult());
    op.erase();
    return success();
  }
  Value brought = LLVM::LoadOp::create(
      b, loc, data.ptr,
      data.offset(b, loc, call, offsetof(kcl_call, persistent)));
  Value missing =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, brought,
                           LLVM::ZeroOp::create(b, loc, data.ptr).getResult());
  Value own = LLVM::IntToPtrOp::create(b, loc, data.ptr,
                                       bits(b, loc, op.getFallback()));
  Value place = LLVM::SelectOp::create(
      b, loc, missing, own, data.offset(b, loc, brought, offset.getInt()));
  op.getBuffer().replaceAllUsesWith(memrefFromAddress(
      state, b, loc, cast<MemRefType>(op.getBuffer().getType()), place));
  if (entry.preparing)
    missing = arith::ConstantIntOp::create(b, loc, 1, 1).getResult();
  op.getPrepare().replaceAllUsesWith(missing);
  op.erase();
  return success();
}

} // namespace kclaw
