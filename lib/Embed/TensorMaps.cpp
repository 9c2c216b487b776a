//===- TensorMaps.cpp - Tensor maps of kernels ----------------------------===//
#include "StepEmitter.h"

using namespace mlir;
using namespace kclaw;

/// Encoded right in front of the kernel that takes it: the addresses are
/// those of the call.
FailureOr<Value> StepEmitter::tensorMap(const std::string &name) {
  auto map = llvm::find_if(plan.tensorMaps, [&](const PlanTensorMap &each) {
    return each.name == name;
  });
  if (map == plan.tensorMaps.end()) {
    (void)error("at " + where + ".args: no tensor map '" + name + "'");
    return failure();
  }
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  FailureOr<Value> source = buffer(map->buffer);
  FailureOr<Value> offset = number(map->offset, "offset", i64);
  FailureOr<SmallVector<Value>> dims = numbers(map->dims, "dims", i64);
  FailureOr<SmallVector<Value>> strides =
      numbers(tensorMapStrides(*map), "strides", i64);
  FailureOr<SmallVector<Value>> box = numbers(map->box, "box", i32);
  FailureOr<SmallVector<Value>> steps =
      numbers(tensorMapElementStrides(*map), "elementStrides", i32);
  FailureOr<SmallVector<Value>> modes =
      numbers({map->swizzle, map->interleave, map->l2Promotion, map->nanFill},
              "modes", i32);
  if (failed(source) || failed(offset) || failed(dims) || failed(strides) ||
      failed(box) || failed(steps) || failed(modes))
    return failure();
  return Value(claw::TensorMapOp::create(
      b, site.loc, MemRefType::get({128}, b.getI8Type()), *source, *offset,
      static_cast<uint32_t>(map->element), *dims, *strides, *box, *steps,
      *modes));
}
