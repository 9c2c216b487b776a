//===- Steps.cpp - Claw steps to calls of the step ABI --------------------===//
//
// Finds what an entry has to call, lays out its stack and its ways out; each
// family of ops has a file of its own (StepLowering.h).
//
//===----------------------------------------------------------------------===//
#include "StepLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kclaw::claw;

namespace kclaw {

/// Whether the op is a step of its plan, not a part of one.
static bool isPlanStep(Operation *op) {
  return isa<KernelStepOp, MemsetStepOp, CopyStepOp, MatmulStepOp,
             ConvolutionStepOp>(op);
}

/// Of the struct that the op fills on the stack; at least that of a kernel.
static size_t structSize(Operation *op) {
  return llvm::TypeSwitch<Operation *, size_t>(op)
      .Case([](MatmulStepOp) { return sizeof(kcl_matmul_step); })
      .Case([](ConvolutionStepOp) { return sizeof(kcl_convolution_step); })
      .Case([](TensorMapOp) { return sizeof(kcl_tensor_map); })
      .Default([](Operation *) { return sizeof(kcl_kernel_step); });
}

/// How many values the op passes by address.
static unsigned numPassed(Operation *op) {
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case([](KernelStepOp kernel) { return kernel.getArgs().size(); })
      .Case([](RequireOp require) { return require.getValues().size(); })
      .Default(0u);
}

/// All steps in program order; counts what the stack needs for them.
SmallVector<Operation *> StepLowering::collect() {
  SmallVector<Operation *> steps;
  entry.body.walk([&](Operation *op) {
    if (!isPlanStep(op) &&
        !isa<TensorMapOp, PersistentOp, GuardOp, RequireOp, cf::AssertOp>(op))
      return;
    steps.push_back(op);
    stepSize = std::max(stepSize, structSize(op));
    maxArgs = std::max(maxArgs, numPassed(op));
    if (isa<TensorMapOp>(op))
      mapIndex.try_emplace(op, mapIndex.size());
    if (isPlanStep(op) && !op->hasAttr(claw::prepareAttrName))
      entry.numSteps += op->hasAttr(claw::repeatedAttrName) ? 2 : 1;
  });
  return steps;
}

/// The block that returns a status.
void StepLowering::makeLeave() {
  Location loc = entry.body.getLoc();
  leave = &entry.body.getBody().emplaceBlock();
  Value status = leave->addArgument(data.i32, loc);
  OpBuilder b = OpBuilder::atBlockBegin(leave);
  func::ReturnOp::create(b, loc, status);
}

LogicalResult StepLowering::run() {
  SmallVector<Operation *> steps = collect();
  if (steps.empty())
    return success();
  makeLeave();
  makeStack();
  for (Operation *each : steps) {
    LogicalResult lowered =
        llvm::TypeSwitch<Operation *, LogicalResult>(each)
            .Case<KernelStepOp, MemsetStepOp, CopyStepOp, MatmulStepOp,
                  ConvolutionStepOp, TensorMapOp, PersistentOp, GuardOp,
                  RequireOp, cf::AssertOp>([&](auto op) { return lower(op); });
    if (failed(lowered))
      return failure();
  }
  branch();
  return success();
}

LogicalResult lowerSteps(EntryModule &state, Entry &entry) {
  return StepLowering(state, entry).run();
}

} // namespace kclaw
