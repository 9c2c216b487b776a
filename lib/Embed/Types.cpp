//===- Types.cpp - Torch types as memrefs ---------------------------------===//
//
// How values of a Torch function look in form M.
//
//===----------------------------------------------------------------------===//
#include "Types.h"

#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

using namespace mlir;
using namespace kclaw;

FailureOr<Type> kclaw::embeddedType(Type type, Location loc) {
  MLIRContext *context = type.getContext();
  if (isa<MemRefType>(type) || type.isIntOrFloat())
    return type;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return Type(MemRefType::get(tensor.getShape(), tensor.getElementType()));
  if (std::optional<torch::TensorShape> shape = torch::tensorShape(type))
    return Type(
        MemRefType::get(shape->sizes, torch::builtinElementType(shape->dtype)));
  if (isa<torch::IntType>(type))
    return Type(IntegerType::get(context, 64));
  if (isa<torch::FloatType>(type))
    return Type(Float64Type::get(context));
  if (isa<torch::BoolType>(type))
    return Type(IntegerType::get(context, 1));
  return emitError(loc) << "value of type " << type
                        << " cannot be passed to device code; tensors of "
                           "known rank and dtype, int, float and bool can";
}

int64_t kclaw::byteSize(MemRefType type) {
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    parts = 2;
  }
  int64_t width =
      element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
  int64_t elements = 1;
  for (int64_t size : type.getShape())
    elements *= ShapedType::isDynamic(size) ? 1 : size;
  return elements * parts * width;
}
