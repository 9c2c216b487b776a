//===- NarrowFloats.cpp - f64 to bf16 without a library call --------------===//
//
// Neither LLVM nor older libgcc has code for that conversion, and going through
// f32 would round twice. So the step to f32 rounds to odd (Boldo and Melquiond,
// 2008): truncate, and set the last bit when something was lost; the second
// rounding is then the only one that counts.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace kclaw {
#define GEN_PASS_DEF_NARROWFLOATSPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

static Value roundToOdd(OpBuilder &b, Location loc, Value wide) {
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  Value near = arith::TruncFOp::create(b, loc, f32, wide);
  Value back = arith::ExtFOp::create(b, loc, b.getF64Type(), near);
  Value bits = arith::BitcastOp::create(b, loc, i32, near);
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
  // Rounded away from zero: the truncated value is one step below.
  Value above = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                      math::AbsFOp::create(b, loc, back),
                                      math::AbsFOp::create(b, loc, wide));
  Value below = arith::SubIOp::create(b, loc, bits, one);
  Value truncated = arith::SelectOp::create(b, loc, above, below, bits);
  Value odd = arith::OrIOp::create(b, loc, truncated, one);
  // Ordered: NaN stays as it is.
  Value inexact =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, back, wide);
  Value result = arith::SelectOp::create(b, loc, inexact, odd, bits);
  return arith::BitcastOp::create(b, loc, f32, result);
}

namespace {
struct NarrowFloats : kclaw::impl::NarrowFloatsPassBase<NarrowFloats> {
  void runOnOperation() override {
    getOperation().walk([](arith::TruncFOp op) {
      if (!op.getIn().getType().isF64() || !op.getType().isBF16())
        return;
      OpBuilder b(op);
      op.getInMutable().assign(roundToOdd(b, op.getLoc(), op.getIn()));
    });
  }
};
} // namespace
