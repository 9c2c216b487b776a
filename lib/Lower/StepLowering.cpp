//===- StepLowering.cpp - What every step is written with -----------------===//
//
// Stores to the stack, addresses of buffers, and the ways out of the function.
//
//===----------------------------------------------------------------------===//
#include "StepLowering.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace kclaw {

void StepLowering::makeStack() {
  Block &first = entry.body.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&first);
  Location loc = entry.body.getLoc();
  auto area = [&](int64_t words, unsigned alignment = 8) -> Value {
    Value count = data.constant(b, loc, data.i64, words);
    return LLVM::AllocaOp::create(b, loc, data.ptr, data.i64, count, alignment);
  };
  step = area(stepSize / 8);
  if (!mapIndex.empty())
    maps = area(mapIndex.size() * encodedMapSize / 8, 64);
  slots = area(std::max(1u, maxArgs));
  pointers = area(std::max(1u, maxArgs));
  for (unsigned i = 0; i < maxArgs; ++i)
    store(b, loc, pointers, 8 * i, data.offset(b, loc, slots, 8 * i));
}

void StepLowering::store(OpBuilder &b, Location loc, Value base, int64_t at,
                         Value value) {
  LLVM::StoreOp::create(b, loc, value, data.offset(b, loc, base, at));
}

/// An index or integer value as an integer of `type`, unsigned.
Value StepLowering::integer(OpBuilder &b, Location loc, Value value,
                            Type type) {
  if (value.getType() == type)
    return value;
  return arith::IndexCastUIOp::create(b, loc, type, value);
}

/// Address of the first element as i64.
Value StepLowering::bits(OpBuilder &b, Location loc, Value memref) {
  Value index = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  return integer(b, loc, index, data.i64);
}

Value StepLowering::address(OpBuilder &b, Location loc, Value memref,
                            Value byteOffset) {
  Value sum = arith::AddIOp::create(b, loc, bits(b, loc, memref), byteOffset);
  return LLVM::IntToPtrOp::create(b, loc, data.ptr, sum);
}

/// Leaves the function after `op` when the status is not zero.
void StepLowering::check(Operation *op, Value status) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value ok =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status, zero);
  exits.push_back({op, ok, leave, {status}});
}

/// Branches at all exits and erases their ops. Last first: a split moves what
/// comes after it, up to the split made before.
void StepLowering::branch() {
  for (const Exit &exit : llvm::reverse(exits)) {
    Location loc = exit.op->getLoc();
    Block *block = exit.op->getBlock();
    Block *rest = block->splitBlock(exit.op);
    exit.op->erase();
    OpBuilder b = OpBuilder::atBlockEnd(block);
    cf::CondBranchOp::create(b, loc, exit.ok, rest, ValueRange{}, exit.target,
                             exit.operands);
  }
}

} // namespace kclaw
