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

/// One offset a buffer, and buffers whose address is that of the first byte.
static LogicalResult verifyLibraryStep(Operation *op, ValueRange buffers,
                                       ValueRange offsets, unsigned least) {
  if (buffers.size() < least || buffers.size() > least + 1)
    return op->emitOpError() << "has " << buffers.size() << " buffers; "
                             << least << " and a workspace expected";
  if (buffers.size() != offsets.size())
    return op->emitOpError() << "has " << buffers.size() << " buffers but "
                             << offsets.size() << " offsets";
  for (Type type : buffers.getTypes())
    if (!cast<MemRefType>(type).getLayout().isIdentity())
      return op->emitOpError()
             << "buffer of type " << type << "; contiguous memref expected";
  return success();
}

LogicalResult MatmulStepOp::verify() {
  for (auto [what, count, wanted] :
       {std::tuple{"numbers", getNumbers().size(), size_t(numNumbers)},
        {"elements", getElements().size(), size_t(4)},
        {"transposed flags", getTransposed().size(), size_t(4)}})
    if (count != wanted)
      return emitOpError() << "has " << count << " " << what << "; " << wanted
                           << " expected";
  return verifyLibraryStep(*this, getBuffers(), getOffsets(),
                           numOperandBuffers());
}

LogicalResult ConvolutionStepOp::verify() {
  for (auto [what, count, wanted] :
       {std::tuple{"flags", getFlags().size(), size_t(numFlags)},
        {"sizes", getSizes().size(), size_t(numSizes)}})
    if (count != wanted)
      return emitOpError() << "has " << count << " " << what << "; " << wanted
                           << " expected";
  return verifyLibraryStep(*this, getBuffers(), getOffsets(),
                           resultIndex() + 1);
}

LogicalResult TensorMapOp::verify() {
  size_t rank = getDims().size();
  if (rank < 1 || rank > 5)
    return emitOpError() << "has " << rank
                         << " dimensions; one to five expected";
  for (auto [what, count, wanted] :
       {std::tuple{"strides", getStrides().size(), rank - 1},
        {"box sizes", getBox().size(), rank},
        {"element strides", getElementStrides().size(), rank},
        {"modes", getModes().size(), size_t(4)}})
    if (count != wanted)
      return emitOpError() << "has " << count << " " << what << "; " << wanted
                           << " expected";
  auto map = cast<MemRefType>(getMap().getType());
  if (!map.getElementType().isInteger(8) ||
      map.getShape() != ArrayRef<int64_t>{128})
    return emitOpError() << "result is " << map << "; memref<128xi8> expected";
  return success();
}

LogicalResult RequireOp::canonicalize(RequireOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
