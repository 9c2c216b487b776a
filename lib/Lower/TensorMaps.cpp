//===- TensorMaps.cpp - Tensor maps, encoded in front of their kernels ----===//
#include "StepLowering.h"

using namespace mlir;
using namespace kclaw::claw;

namespace kclaw {

Value StepLowering::encodedMap(OpBuilder &b, Location loc, TensorMapOp map) {
  return data.offset(b, loc, maps, mapIndex.lookup(map) * encodedMapSize);
}

LogicalResult StepLowering::lower(TensorMapOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  store(b, loc, step, offsetof(kcl_tensor_map, address),
        address(b, loc, op.getBuffer(), op.getOffset()));
  store(b, loc, step, offsetof(kcl_tensor_map, element),
        data.constant(b, loc, data.i32, op.getElement()));
  store(b, loc, step, offsetof(kcl_tensor_map, rank),
        data.constant(b, loc, data.i32, op.getDims().size()));
  struct List {
    size_t at, size;
    ValueRange values;
  };
  for (const List &list :
       {List{offsetof(kcl_tensor_map, dims), 8, op.getDims()},
        List{offsetof(kcl_tensor_map, strides), 8, op.getStrides()},
        List{offsetof(kcl_tensor_map, box), 4, op.getBox()},
        List{offsetof(kcl_tensor_map, element_strides), 4,
             op.getElementStrides()},
        List{offsetof(kcl_tensor_map, swizzle), 4, op.getModes()}})
    for (auto [i, value] : llvm::enumerate(list.values))
      store(b, loc, step, list.at + list.size * i, value);
  check(op, data.call(b, loc, "kclTensorMapEncode",
                      {step, encodedMap(b, loc, op), call}));
  return success();
}

} // namespace kclaw
