//===- Guards.cpp - Guards, requirements and assertions -------------------===//
#include "StepLowering.h"

using namespace mlir;
using namespace kclaw::claw;

namespace kclaw {

LogicalResult StepLowering::lower(GuardOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto [slot, fresh] = state.guards.try_emplace(op.getArchs());
  if (fresh) {
    slot->second = data.variable("kcl_arch_listed", data.i32);
    state.table.archs.push_back({Field::address(data.text(op.getArchs())),
                                 Field::address(slot->second)});
  }
  Value all = data.constant(b, loc, data.i64, 0);
  for (Value buffer : op.getBuffers())
    all = arith::OrIOp::create(b, loc, all, bits(b, loc, buffer));
  Value listed = LLVM::LoadOp::create(b, loc, data.i32,
                                      data.addressOf(b, loc, slot->second));
  if (op.getWhen())
    listed = arith::AndIOp::create(
        b, loc, listed, arith::ExtUIOp::create(b, loc, data.i32, op.getWhen()));
  Value alignment = data.constant(b, loc, data.i64, op.getAlignment());
  Value won = data.call(b, loc, "kclGuard", {listed, alignment, all, call});
  op.replaceAllUsesWith(
      arith::TruncIOp::create(b, loc, b.getI1Type(), won).getResult());
  op.erase();
  ++entry.numRegions;
  return success();
}

/// An assertion calls the runtime only on the way out.
Block *StepLowering::addFailure() {
  Block *failed = new Block;
  failed->insertBefore(leave);
  return failed;
}

LogicalResult StepLowering::lower(RequireOp op) {
  Location loc = op.getLoc();
  Block *failed = addFailure();
  OpBuilder b = OpBuilder::atBlockBegin(failed);
  for (auto [i, value] : llvm::enumerate(op.getValues()))
    store(b, loc, slots, 8 * i, integer(b, loc, value, data.i64));
  Value text = data.addressOf(b, loc, data.text(op.getMessage()));
  Value count = data.constant(b, loc, data.i32, op.getValues().size());
  Value status =
      data.call(b, loc, "kclRequireFailed", {text, slots, count, call});
  cf::BranchOp::create(b, loc, leave, ValueRange{status});
  exits.push_back({op, op.getCondition(), failed, {}});
  return success();
}

LogicalResult StepLowering::lower(cf::AssertOp op) {
  Location loc = op.getLoc();
  Block *failed = addFailure();
  OpBuilder b = OpBuilder::atBlockBegin(failed);
  Value text = data.addressOf(b, loc, data.text(op.getMsg()));
  Value status = data.call(b, loc, "kclAssertFailed", {text, call});
  cf::BranchOp::create(b, loc, leave, ValueRange{status});
  exits.push_back({op, op.getArg(), failed, {}});
  return success();
}

} // namespace kclaw
