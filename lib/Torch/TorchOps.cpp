//===- TorchOps.cpp - Folders, verifiers and custom assembly --------------===//
//
// What ODS cannot declare about the defined torch ops.
//
//===----------------------------------------------------------------------===//
#include "TorchHooks.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "kernelclaw/Torch/TorchOps.cpp.inc"

namespace kclaw::torch {

void TorchDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "kernelclaw/Torch/TorchOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Folders and effects
//===----------------------------------------------------------------------===//

OpFoldResult ConstantNoneOp::fold(FoldAdaptor) {
  return UnitAttr::get(getContext());
}
OpFoldResult ConstantBoolOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantIntOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantFloatOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantStrOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantDeviceOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantNumberOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ValueTensorLiteralOp::fold(FoldAdaptor) { return getValueAttr(); }

using EffectList = SmallVectorImpl<MemoryEffects::EffectInstance>;
void OperatorOp::getEffects(EffectList &effects) { addEffects(*this, effects); }
void TensorLiteralOp::getEffects(EffectList &effects) {
  addEffects(*this, effects);
}
void AtenFormatOp::getEffects(EffectList &effects) {
  addEffects(*this, effects);
}
void PrimTolistOp::getEffects(EffectList &effects) {
  addEffects(*this, effects);
}
void CopyToNonValueTensorOp::getEffects(EffectList &effects) {
  addEffects(*this, effects);
}
void CopyToValueTensorOp::getEffects(EffectList &effects) {
  addEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult ValueTensorLiteralOp::verify() {
  ValueTensorType type = getType();
  ShapedType value = getValue().getShapedType();
  if (!type.getRanked() || !type.getDtype())
    return success();
  if (value.getElementType() != type.getDtype() &&
      value.getElementType().isInteger() != type.getDtype().isInteger())
    return emitOpError() << "holds elements of type " << value.getElementType()
                         << " but its result has dtype " << type.getDtype();
  if (failed(verifyCompatibleShape(value.getShape(), type.getSizes())))
    return emitOpError() << "holds a value of shape [" << value.getShape()
                         << "] but its result has type " << type;
  return success();
}

LogicalResult BindSymbolicShapeOp::verify() {
  unsigned symbols = getShapeExpressions().getValue().getNumSymbols();
  if (getShapeSymbols().size() == symbols)
    return success();
  return emitOpError() << "has " << getShapeSymbols().size()
                       << " shape symbols but its map uses " << symbols;
}

LogicalResult InitializeGlobalSlotsOp::verify() {
  if (getInitialValues().size() == getSlotSymNames().size())
    return success();
  return emitOpError() << "has " << getInitialValues().size() << " values for "
                       << getSlotSymNames().size() << " slots";
}

//===----------------------------------------------------------------------===//
// torch.prim.If
//===----------------------------------------------------------------------===//

ParseResult PrimIfOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  Region *thenRegion = result.addRegion();
  Region *elseRegion = result.addRegion();
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, BoolType::get(parser.getContext()),
                            result.operands) ||
      parser.parseArrowTypeList(result.types) ||
      parser.parseRegion(*thenRegion) || parser.parseKeyword("else") ||
      parser.parseRegion(*elseRegion))
    return failure();
  return parser.parseOptionalAttrDict(result.attributes);
}

void PrimIfOp::print(OpAsmPrinter &printer) {
  printer << " " << getCondition() << " -> (" << getResultTypes() << ") ";
  printer.printRegion(getThenRegion(), /*printEntryBlockArgs=*/false);
  printer << " else ";
  printer.printRegion(getElseRegion(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

//===----------------------------------------------------------------------===//
// torch.bind_symbolic_shape: the map stays inline, never becomes an alias
//===----------------------------------------------------------------------===//

ParseResult BindSymbolicShapeOp::parse(OpAsmParser &parser,
                                       OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  SmallVector<OpAsmParser::UnresolvedOperand> symbols;
  AffineMapAttr map;
  Type type;
  if (parser.parseOperand(operand) || parser.parseComma() ||
      parser.parseOperandList(symbols, OpAsmParser::Delimiter::Square) ||
      parser.parseComma() || parser.parseAttribute(map) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(operand, type, result.operands))
    return failure();
  result.getOrAddProperties<Properties>().shape_expressions = map;
  return parser.resolveOperands(symbols, IntType::get(parser.getContext()),
                                result.operands);
}

void BindSymbolicShapeOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperand() << ", [" << getShapeSymbols()
          << "], affine_map<" << getShapeExpressions().getValue() << ">";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"shape_expressions"});
  printer << " : " << getOperand().getType();
}

//===----------------------------------------------------------------------===//
// torch.initialize.global_slots [ @name(%value : type) ... ]
//===----------------------------------------------------------------------===//

ParseResult InitializeGlobalSlotsOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  SmallVector<Attribute> names;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseLSquare())
    return failure();
  while (failed(parser.parseOptionalRSquare())) {
    StringAttr name;
    OpAsmParser::UnresolvedOperand value;
    Type type;
    if (parser.parseSymbolName(name) || parser.parseLParen() ||
        parser.parseOperand(value) || parser.parseColonType(type) ||
        parser.parseRParen() ||
        parser.resolveOperand(value, type, result.operands))
      return failure();
    names.push_back(FlatSymbolRefAttr::get(name));
  }
  result.getOrAddProperties<Properties>().slotSymNames =
      ArrayAttr::get(parser.getContext(), names);
  return success();
}

void InitializeGlobalSlotsOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs(), {"slotSymNames"});
  printer << " [";
  for (auto [name, value] : llvm::zip(getSlotSymNames(), getInitialValues())) {
    printer.printNewline();
    printer << "  " << name << "(" << value << " : " << value.getType() << ")";
  }
  printer.printNewline();
  printer << "]";
}

} // namespace kclaw::torch
