//===- KernelSteps.cpp - Launches of kernels ------------------------------===//
#include "StepLowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kclaw::claw;

namespace kclaw {

/// Slot of the kernel's function; adds its row at the first use.
FailureOr<std::string> StepLowering::functionSlot(KernelStepOp step) {
  SymbolRefAttr kernel = step.getKernel();
  StringRef binary = kernel.getRootReference();
  StringRef name = kernel.getLeafReference();
  auto known = state.binaries.find(binary);
  if (known == state.binaries.end() || kernel.getNestedReferences().size() != 1)
    return step.emitError("kernel ")
           << kernel << " is not @binary::@entry of a gpu.binary here";
  std::string key = (binary + "::" + name).str();
  auto [slot, fresh] = state.kernels.try_emplace(key);
  if (!fresh)
    return slot->second;
  slot->second = data.variable((name + "_function").str(), data.ptr);
  state.table.functions.push_back(
      {Field::integer(data.i32, known->second), Field::integer(data.i32, 0),
       Field::address(data.text(name)), Field::address(slot->second)});
  return slot->second;
}

LogicalResult StepLowering::lower(KernelStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  FailureOr<std::string> slot = functionSlot(op);
  if (failed(slot))
    return failure();
  APInt shared;
  if (!matchPattern(op.getSharedBytes(), m_ConstantInt(&shared)))
    return op.emitError("dynamic shared memory is not a constant");
  for (SmallVector<Field> &row : state.table.functions)
    if (row[3].symbol == *slot)
      row[1] =
          Field::integer(data.i32, std::max<int64_t>(row[1].value.getInt(),
                                                     shared.getSExtValue()));

  for (auto [i, arg, offset] : llvm::enumerate(op.getArgs(), op.getOffsets())) {
    if (auto map = arg.getDefiningOp<TensorMapOp>()) {
      store(b, loc, pointers, 8 * i, encodedMap(b, loc, map));
      continue;
    }
    Value value =
        isa<MemRefType>(arg.getType()) ? address(b, loc, arg, offset) : arg;
    store(b, loc, slots, 8 * i, value);
  }
  Value function =
      LLVM::LoadOp::create(b, loc, data.ptr, data.addressOf(b, loc, *slot));
  store(b, loc, step, offsetof(kcl_kernel_step, function), function);
  for (unsigned dim = 0; dim < 3; ++dim) {
    store(b, loc, step, offsetof(kcl_kernel_step, grid) + 4 * dim,
          integer(b, loc, op.getGrid()[dim], data.i32));
    store(b, loc, step, offsetof(kcl_kernel_step, block) + 4 * dim,
          integer(b, loc, op.getBlock()[dim], data.i32));
    store(b, loc, step, offsetof(kcl_kernel_step, cluster) + 4 * dim,
          integer(b, loc, op.getCluster()[dim], data.i32));
  }
  store(b, loc, step, offsetof(kcl_kernel_step, shared_bytes),
        integer(b, loc, op.getSharedBytes(), data.i32));
  store(b, loc, step, offsetof(kcl_kernel_step, cooperative),
        data.constant(b, loc, data.i32, op.getCooperative()));
  store(b, loc, step, offsetof(kcl_kernel_step, arg_count),
        data.constant(b, loc, data.i32, op.getArgs().size()));
  store(b, loc, step, offsetof(kcl_kernel_step, args), pointers);
  Value status = data.call(b, loc, "kclStepKernel", {step, call});
  for (auto [i, arg] : llvm::enumerate(op.getArgs()))
    if (arg.getDefiningOp<TensorMapOp>())
      store(b, loc, pointers, 8 * i, data.offset(b, loc, slots, 8 * i));
  check(op, status);
  return success();
}

} // namespace kclaw
