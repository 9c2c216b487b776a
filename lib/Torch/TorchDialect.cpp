//===- TorchDialect.cpp - The torch and torch_c dialects ------------------===//
//
// Registration, and the hooks through which unregistered ops get assembly,
// result names and memory effects.
//
//===----------------------------------------------------------------------===//
#include "TorchHooks.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "kernelclaw/Torch/TorchConversionDialect.cpp.inc"
#include "kernelclaw/Torch/TorchDialect.cpp.inc"

#define GET_OP_CLASSES
#include "kernelclaw/Torch/TorchConversionOps.cpp.inc"

namespace {
/// Torch functions may be inlined anywhere.
struct TorchInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

namespace kclaw::torch {

void TorchDialect::initialize() {
  allowUnknownOperations();
  allowUnknownTypes();
  registerTypes();
  registerOps();
  addInterfaces<TorchInliner>();
}

std::optional<Dialect::ParseOpHook>
TorchDialect::getParseOperationHook(StringRef name) const {
  return ParseOpHook(parseUniform);
}

llvm::unique_function<void(Operation *, OpAsmPrinter &)>
TorchDialect::getOperationPrinter(Operation *op) const {
  if (op->isRegistered() || !hasUniformForm(op))
    return nullptr;
  return printUniform;
}

void *TorchDialect::getRegisteredInterfaceForOp(TypeID interface,
                                                OperationName op) {
  if (op.isRegistered())
    return nullptr;
  if (interface == OpAsmOpInterface::getInterfaceID())
    return resultNamesModel();
  if (interface == MemoryEffectOpInterface::getInterfaceID() &&
      isPure(op.getStringRef().drop_front(getDialectNamespace().size() + 1)))
    return effectsModel();
  return nullptr;
}

Operation *TorchDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  if (isa<ValueTensorType>(type) && isa<ElementsAttr>(value))
    return ValueTensorLiteralOp::create(builder, loc, type,
                                        cast<ElementsAttr>(value));
  if (isa<NoneType>(type))
    return ConstantNoneOp::create(builder, loc, type);
  if (isa<BoolType>(type))
    return ConstantBoolOp::create(builder, loc, type, cast<BoolAttr>(value));
  if (isa<IntType>(type))
    return ConstantIntOp::create(builder, loc, type, cast<IntegerAttr>(value));
  if (isa<FloatType>(type))
    return ConstantFloatOp::create(builder, loc, type, cast<FloatAttr>(value));
  if (isa<StrType>(type))
    return ConstantStrOp::create(builder, loc, type, cast<StringAttr>(value));
  if (isa<DeviceType>(type))
    return ConstantDeviceOp::create(builder, loc, type,
                                    cast<StringAttr>(value));
  if (isa<NumberType>(type))
    return ConstantNumberOp::create(builder, loc, type, value);
  return nullptr;
}

} // namespace kclaw::torch

void kclaw::torch_c::TorchCDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "kernelclaw/Torch/TorchConversionOps.cpp.inc"
      >();
}
