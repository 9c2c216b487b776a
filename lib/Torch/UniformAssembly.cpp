//===- UniformAssembly.cpp - Assembly of unregistered torch ops -----------===//
//
// `%r = torch.aten.add.Tensor %a, %b, %c : A, B, C -> R` and its variants
// without operands or results.
//
//===----------------------------------------------------------------------===//
#include "TorchHooks.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace kclaw::torch {

ParseResult parseUniform(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();

  if (operands.empty()) {
    if (parser.getNumResults() == 0)
      return success();
    return parser.parseColonTypeList(result.types);
  }

  SmallVector<Type> types;
  if (parser.parseColonTypeList(types) ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  if (failed(parser.parseOptionalArrow()))
    return success();
  return parser.parseTypeList(result.types);
}

/// All attributes of an unregistered op, sorted: the generic form may have left
/// some in the properties, which `getAttrs` does not show.
static DictionaryAttr allAttributes(Operation *op) {
  NamedAttrList attributes(op->getDiscardableAttrDictionary());
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    for (NamedAttribute attribute : properties)
      if (!attributes.get(attribute.getName()))
        attributes.push_back(attribute);
  return attributes.getDictionary(op->getContext());
}

void printUniform(Operation *op, OpAsmPrinter &printer) {
  if (op->getNumOperands() > 0)
    printer << ' ' << op->getOperands();
  printer.printOptionalAttrDict(allAttributes(op).getValue());
  if (op->getNumOperands() + op->getNumResults() == 0)
    return;
  printer << " : ";
  if (op->getNumOperands() == 0) {
    printer << op->getResultTypes();
    return;
  }
  printer << op->getOperandTypes();
  if (op->getNumResults() > 0)
    printer << " -> " << op->getResultTypes();
}

bool hasUniformForm(Operation *op) {
  Attribute properties = op->getPropertiesAsAttribute();
  if (op->getNumRegions() > 0 || op->getNumSuccessors() > 0 ||
      (properties && !isa<DictionaryAttr>(properties)))
    return false;
  return llvm::all_of(op->getName().getStringRef(), [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
  });
}

} // namespace kclaw::torch
