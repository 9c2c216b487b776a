//===- TorchQueries.cpp - How passes look at torch ops --------------------===//
//
// Names, constants, lists and shapes; see TorchOps.h.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Torch/TorchOps.h"

#include "kernelclaw/Torch/Torch.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace kclaw::torch {

StringRef opName(Operation *op) {
  if (auto operatorOp = dyn_cast<OperatorOp>(op)) {
    StringRef name = operatorOp.getName();
    name.consume_front("torch.");
    return name;
  }
  StringRef name = op->getName().getStringRef();
  return name.consume_front("torch.") ? name : StringRef();
}

std::optional<Attribute> constantValue(Value value) {
  Operation *op = value.getDefiningOp();
  Attribute constant;
  if (!op || isa<ValueTensorLiteralOp>(op) ||
      !isa_and_nonnull<TorchDialect>(op->getDialect()) ||
      !matchPattern(op, m_Constant(&constant)))
    return std::nullopt;
  return constant;
}

std::optional<SmallVector<Value>> listElements(Value value) {
  auto list = value.getDefiningOp<PrimListConstructOp>();
  if (!list)
    return std::nullopt;
  return SmallVector<Value>(list.getElements());
}

template <typename TensorT>
static std::optional<TensorShape> shapeOf(TensorT type) {
  if (!type.getRanked() || !type.getDtype())
    return std::nullopt;
  return TensorShape{SmallVector<int64_t>(type.getSizes()), type.getDtype()};
}

std::optional<TensorShape> tensorShape(Type type) {
  if (auto tensor = dyn_cast<ValueTensorType>(type))
    return shapeOf(tensor);
  if (auto tensor = dyn_cast<NonValueTensorType>(type))
    return shapeOf(tensor);
  return std::nullopt;
}

Type makeTensorType(MLIRContext *context, ArrayRef<int64_t> sizes, Type dtype) {
  return ValueTensorType::get(context, /*ranked=*/true, sizes, dtype,
                              /*sparsity=*/Attribute());
}

Type builtinElementType(Type dtype) {
  if (auto integer = dyn_cast<IntegerType>(dtype))
    return IntegerType::get(dtype.getContext(), integer.getWidth());
  if (isa<QInt8Type, QUInt8Type>(dtype))
    return IntegerType::get(dtype.getContext(), 8);
  if (isa<QInt16Type>(dtype))
    return IntegerType::get(dtype.getContext(), 16);
  if (isa<QInt32Type>(dtype))
    return IntegerType::get(dtype.getContext(), 32);
  return dtype;
}

} // namespace kclaw::torch
