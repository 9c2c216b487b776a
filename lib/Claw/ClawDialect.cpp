//===- ClawDialect.cpp - The claw dialect ---------------------------------===//
//
// Registration, generated definitions, the verifier of kernel steps, and the
// requirement that always holds.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kclaw::claw;

#include "kernelclaw/Claw/ClawDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "kernelclaw/Claw/ClawAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "kernelclaw/Claw/ClawOps.cpp.inc"

void ClawDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "kernelclaw/Claw/ClawAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "kernelclaw/Claw/ClawOps.cpp.inc"
      >();
}

LogicalResult KernelStepOp::verify() {
  for (auto [what, values] : {std::pair{"grid", getGrid()},
                              {"block", getBlock()},
                              {"cluster", getCluster()}})
    if (values.size() != 3)
      return emitOpError() << what << " needs three values, has "
                           << values.size();
  if (getArgs().size() != getOffsets().size())
    return emitOpError() << "has " << getArgs().size() << " arguments but "
                         << getOffsets().size() << " offsets";
  for (Type type : getArgs().getTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    bool ok = memref ? memref.getLayout().isIdentity()
                     : type.isInteger(32) || type.isInteger(64) ||
                           type.isF32() || type.isF64();
    if (!ok)
      return emitOpError() << "argument of type " << type
                           << "; contiguous memref, i32, i64, f32 or f64 "
                              "expected";
  }
  return success();
}

LogicalResult RequireOp::canonicalize(RequireOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
