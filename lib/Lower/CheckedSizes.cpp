//===- CheckedSizes.cpp - Sizes that do not wrap round --------------------===//
//
// One walk over the straight-line code of a size function: beside each product
// and sum stands whether it wrapped, and beside each value whether anything
// that it depends on did.
//
//===----------------------------------------------------------------------===//
#include "CheckedSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace {
struct WrapFlags {
  explicit WrapFlags(const OpBuilder &builder) : builder(builder) {}

  OpBuilder builder;
  llvm::DenseMap<Value, Value> flags; ///< none: cannot have wrapped

  void visit(Operation *op);
  Value wraps(arith::MulIOp op);
  Value wraps(arith::AddIOp op);
  Value either(Location loc, Value a, Value b);
  Value constant(Location loc, Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value isNegative(Location loc, Value value) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, value,
                                 constant(loc, value.getType(), 0));
  }
};
} // namespace

/// The upper half of the product is not the sign of the lower one.
Value WrapFlags::wraps(arith::MulIOp op) {
  Location loc = op.getLoc();
  auto wide =
      arith::MulSIExtendedOp::create(builder, loc, op.getLhs(), op.getRhs());
  Type type = op.getType();
  Value sign =
      arith::SelectOp::create(builder, loc, isNegative(loc, wide.getLow()),
                              constant(loc, type, -1), constant(loc, type, 0));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                               wide.getHigh(), sign);
}

/// The sum's sign differs from both operands'.
Value WrapFlags::wraps(arith::AddIOp op) {
  Location loc = op.getLoc();
  Value sum = op.getResult();
  Value left = arith::XOrIOp::create(builder, loc, op.getLhs(), sum);
  Value right = arith::XOrIOp::create(builder, loc, op.getRhs(), sum);
  return isNegative(loc, arith::AndIOp::create(builder, loc, left, right));
}

Value WrapFlags::either(Location loc, Value a, Value b) {
  if (!a || !b || a == b)
    return a ? a : b;
  return arith::OrIOp::create(builder, loc, a, b);
}

void WrapFlags::visit(Operation *op) {
  builder.setInsertionPointAfter(op);
  Value flag;
  for (Value operand : op->getOperands())
    flag = either(op->getLoc(), flag, flags.lookup(operand));
  bool isWide =
      op->getNumResults() == 1 && (op->getResult(0).getType().isIndex() ||
                                   op->getResult(0).getType().isInteger(64));
  if (auto product = dyn_cast<arith::MulIOp>(op); product && isWide)
    flag = either(op->getLoc(), flag, wraps(product));
  if (auto sum = dyn_cast<arith::AddIOp>(op); sum && isWide)
    flag = either(op->getLoc(), flag, wraps(sum));
  if (flag)
    for (Value result : op->getResults())
      flags[result] = flag;
}

void kclaw::checkSizes(OpBuilder &builder, Location loc,
                       MutableArrayRef<Value> sizes) {
  SmallVector<Operation *> ops =
      llvm::to_vector(llvm::make_pointer_range(*builder.getInsertionBlock()));
  WrapFlags wraps(builder);
  for (Operation *op : ops)
    wraps.visit(op);
  for (Value &size : sizes)
    if (Value flag = wraps.flags.lookup(size)) {
      auto largest = arith::ConstantIndexOp::create(
          builder, loc, std::numeric_limits<int64_t>::max());
      size = arith::SelectOp::create(builder, loc, flag, largest, size);
    }
}
