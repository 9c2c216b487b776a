//===- LibrarySteps.cpp - Matrix products and convolutions by libraries ---===//
//
// The operands and numbers of claw.matmul_step and claw.convolution_step in
// their order (ClawOps.td).
//
//===----------------------------------------------------------------------===//
#include "StepEmitter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kclaw;

/// The buffer and byte offset of a place, at the end of the lists.
LogicalResult StepEmitter::addPlace(const PlanPlace &place,
                                    SmallVector<Value> &buffers,
                                    SmallVector<Value> &offsets) {
  FailureOr<Value> memref = buffer(place.buffer);
  FailureOr<Value> offset = number(place.offset, "offset", b.getIndexType());
  if (failed(memref) || failed(offset))
    return failure();
  buffers.push_back(*memref);
  offsets.push_back(*offset);
  return success();
}

/// The bytes of a library step's workspace, as the plan has it.
const Expr &StepEmitter::scratchBytes(const std::string &name) const {
  static const Expr none(0);
  for (const PlanBuffer &buffer : plan.buffers)
    if (buffer.name == name)
      return buffer.sizeBytes;
  return none;
}

LogicalResult StepEmitter::emit(const MatmulStep &step) {
  SmallVector<Value> buffers, offsets, numbers;
  SmallVector<const Expr *> sizes = {&step.m, &step.n, &step.k, &step.batch};
  SmallVector<int32_t> elements, transposed;
  for (const PlanMatrix *matrix : {&step.a, &step.b, &step.c, &step.d}) {
    bool unused = matrix == &step.c && step.beta == 0;
    if (!unused && failed(addPlace(matrix->place, buffers, offsets)))
      return failure();
    sizes.append({&matrix->ld, &matrix->batchStride});
    elements.push_back(libraryElement(unused ? step.d.dtype : matrix->dtype));
    transposed.push_back(matrix->transposed);
  }
  if (step.bias.present() && failed(addPlace(step.bias, buffers, offsets)))
    return failure();
  if (!step.workspace.empty() &&
      failed(addPlace({step.workspace, Expr(0)}, buffers, offsets)))
    return failure();
  sizes.push_back(&scratchBytes(step.workspace));
  for (const Expr *size : sizes) {
    FailureOr<Value> value = number(*size, "sizes", b.getIndexType());
    if (failed(value))
      return failure();
    numbers.push_back(*value);
  }
  return mark(claw::MatmulStepOp::create(
      b, site.loc, buffers, offsets, numbers, b.getDenseI32ArrayAttr(elements),
      b.getDenseI32ArrayAttr(transposed), b.getF64FloatAttr(step.alpha),
      b.getF64FloatAttr(step.beta), b.getI32IntegerAttr(int32_t(step.compute)),
      b.getI32IntegerAttr(int32_t(step.epilogue)),
      b.getStringAttr(step.choice)));
}

LogicalResult StepEmitter::emit(const ConvolutionStep &step) {
  SmallVector<Value> buffers, offsets;
  for (const PlanPlace *place :
       {&step.input, &step.weight, &step.bias, &step.output})
    if ((place != &step.bias || place->present()) &&
        failed(addPlace(*place, buffers, offsets)))
      return failure();
  if (!step.workspace.empty() &&
      failed(addPlace({step.workspace, Expr(0)}, buffers, offsets)))
    return failure();
  SmallVector<int64_t> sizes;
  auto addSize = [&](const Expr &expr) -> LogicalResult {
    FailureOr<OpFoldResult> value = evaluate(b, expr, "sizes");
    std::optional<int64_t> fixed =
        failed(value) ? std::nullopt : getConstantIntValue(*value);
    if (!fixed)
      return error("at " + where +
                   ": the sizes of a convolution must be "
                   "known when the module is made");
    sizes.push_back(*fixed);
    return success();
  };
  for (const Expr *size :
       {&step.batch, &step.inChannels, &step.outChannels, &step.groups})
    if (failed(addSize(*size)))
      return failure();
  for (const std::vector<Expr> *list :
       {&step.in, &step.out, &step.kernel, &step.stride, &step.dilation,
        &step.padBefore, &step.padAfter})
    for (size_t d = 0; d < 3; ++d)
      if (failed(addSize(d < list->size() ? (*list)[d] : Expr(0))))
        return failure();
  if (failed(addSize(scratchBytes(step.workspace))))
    return failure();
  int32_t flags[] = {libraryElement(step.dtype), step.tf32, step.transposed,
                     step.channelsLast, int32_t(step.in.size())};
  return mark(claw::ConvolutionStepOp::create(
      b, site.loc, buffers, offsets, step.bias.present(),
      b.getDenseI32ArrayAttr(flags), b.getDenseI64ArrayAttr(sizes),
      b.getStringAttr(step.choice)));
}
