//===- LibraryConvolution.cpp - claw.convolution as a step ----------------===//
#include "LibrarySteps.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace kclaw;

/// Copies of all tensors in the layout that a kernel likes, and some.
static constexpr int64_t spareBytes = 8 << 20;

static int32_t elementOf(Type type) { // kcl_element
  return type.isF64() ? 1 : type.isF32() ? 2 : type.isF16() ? 3 : 4;
}

static bool isDense(const Layout &layout) {
  return layout.offset && layout.strides == computeStrides(layout.sizes);
}

LogicalResult LibrarySteps::emit(claw::ConvolutionOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto input = cast<MemRefType>(op.getInput().getType());
  auto weight = cast<MemRefType>(op.getWeight().getType());
  auto output = cast<MemRefType>(op.getInit().getType());
  int64_t elementBytes = input.getElementTypeBitWidth() / 8;
  SmallVector<Value> operands = {op.getInput(), op.getWeight()};
  if (op.getBias())
    operands.push_back(op.getBias());
  operands.push_back(op.getInit());
  SmallVector<Value> buffers, offsets;
  int64_t scratchBytes = spareBytes;
  for (Value operand : operands) {
    Layout layout = sizes.layout(operand);
    if (!isDense(layout))
      return op.emitOpError("has an operand that is not dense in memory");
    buffers.push_back(rootBuffer(operand));
    offsets.push_back(sizes.materialize(b, loc, layout.offset * elementBytes));
    scratchBytes +=
        2 * elementBytes * cast<MemRefType>(operand.getType()).getNumElements();
  }
  buffers.push_back(workspace(scratchBytes));
  offsets.push_back(sizes.materialize(b, loc, sizes.constant(0)));

  int64_t spatial = input.getRank() - 2;
  SmallVector<int64_t> numbers = {input.getDimSize(0), input.getDimSize(1),
                                  output.getDimSize(1),
                                  static_cast<int64_t>(op.getGroups())};
  auto add = [&](ArrayRef<int64_t> values) {
    for (int64_t i = 0; i < 3; ++i)
      numbers.push_back(i < spatial ? values[i] : 0);
  };
  add(input.getShape().drop_front(2));
  add(output.getShape().drop_front(2));
  add(weight.getShape().drop_front(2));
  for (ArrayRef<int64_t> values :
       {op.getStride(), op.getDilation(), op.getPadding(), op.getPadding()})
    add(values);
  numbers.push_back(scratchBytes);
  Type element = input.getElementType();
  int32_t flags[] = {elementOf(element), element.isF32() && tf32Convolution,
                     op.getTransposed(), 0, int32_t(spatial)};
  claw::ConvolutionStepOp::create(
      b, loc, buffers, offsets, op.getBias() != nullptr,
      b.getDenseI32ArrayAttr(flags), b.getDenseI64ArrayAttr(numbers),
      b.getStringAttr(""));
  return success();
}
