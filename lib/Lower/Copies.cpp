//===- Copies.cpp - memref.copy for the two devices -----------------------===//
//
// On the CPU a copy is a linalg op, so that strided ones become loops instead
// of calls into a runner library. On the GPU it is a copy step.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace kclaw {
#define GEN_PASS_DEF_COPIESPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

static LogicalResult toCopyStep(memref::CopyOp copy) {
  auto type = cast<MemRefType>(copy.getSource().getType());
  auto target = cast<MemRefType>(copy.getTarget().getType());
  if (!type.getLayout().isIdentity() || !target.getLayout().isIdentity())
    return copy.emitError("strided copy of device memory; a kernel or a copy "
                          "step expected");
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  int64_t known = (type.getElementTypeBitWidth() + 7) / 8;
  Value bytes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      known *= type.getDimSize(dim);
      continue;
    }
    Value size = memref::DimOp::create(builder, loc, copy.getSource(), dim);
    size = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size);
    bytes = bytes ? arith::MulIOp::create(builder, loc, bytes, size).getResult()
                  : size;
  }
  bytes = bytes ? arith::MulIOp::create(builder, loc, bytes, constant(known))
                      .getResult()
                : constant(known);
  Value zero = constant(0);
  kclaw::claw::CopyStepOp::create(builder, loc, copy.getSource(), zero, bytes,
                                  copy.getTarget(), zero, bytes, bytes,
                                  constant(1));
  copy.erase();
  return success();
}

namespace {
struct Copies : kclaw::impl::CopiesPassBase<Copies> {
  using CopiesPassBase::CopiesPassBase;

  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      if (device == "cuda") {
        if (failed(toCopyStep(copy)))
          return signalPassFailure();
        continue;
      }
      OpBuilder builder(copy);
      linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      copy.erase();
    }
  }
};
} // namespace
