//===- RequirementText.cpp - Arguments in the texts of requirements -------===//
//
// What a value is to the caller: a size, a sum of sizes, an element.
//
//===----------------------------------------------------------------------===//
#include "RequirementText.h"

#include "kernelclaw/Lower/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using kclaw::claw::RequireOp;

std::string kclaw::argumentText(func::FuncOp entry, unsigned index) {
  std::string text = "argument " + std::to_string(index);
  if (auto name = entry.getArgAttrOfType<StringAttr>(index, nameAttrName))
    text += " '" + name.str() + "'";
  return text;
}

std::string kclaw::dimensionText(func::FuncOp entry, unsigned index,
                                 int64_t dim) {
  return "dimension " + std::to_string(dim) + " of " +
         argumentText(entry, index);
}

/// How a value comes from the arguments; empty for what would be longer than
/// it is useful. No text of so many operators inside each other is short.
static std::string describe(Value value, ArrayRef<std::string> parameters,
                            unsigned depth = 16) {
  static constexpr std::pair<StringLiteral, StringLiteral> infix[] = {
      {"arith.addi", " + "},
      {"arith.subi", " - "},
      {"arith.muli", " * "},
      {"arith.divsi", " / "}};
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return parameters[argument.getArgNumber()];
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return std::to_string(*number);
  Operation *op = value.getDefiningOp();
  for (auto [row, sign] : infix) {
    if (row != op->getName().getStringRef() || depth == 0)
      continue;
    // One after the other: sizes that are used twice would be told twice.
    std::string left = describe(op->getOperand(0), parameters, depth - 1);
    if (left.empty())
      return "";
    std::string right = describe(op->getOperand(1), parameters, depth - 1);
    if (right.empty() || left.size() + right.size() > 120)
      return "";
    auto inner = [](const std::string &text) {
      return text.find_first_of("+-*/") == std::string::npos ? text
                                                             : "(" + text + ")";
    };
    return inner(left) + sign.str() + inner(right);
  }
  return "";
}

static void nameValues(RequireOp op,
                       llvm::function_ref<std::string(Value)> sourceOf) {
  std::string text = op.getMessage().str();
  for (auto [i, value] : llvm::enumerate(op.getValues())) {
    std::string mark = "{" + std::to_string(i) + "}";
    size_t at = text.find(mark);
    if (at == std::string::npos || getConstantIntValue(value))
      continue;
    std::string source = sourceOf(value);
    if (!source.empty())
      text.insert(at + mark.size(), " (" + source + ")");
  }
  op.setMessage(text);
}

void kclaw::nameSizes(RequireOp op, ArrayRef<std::string> parameters) {
  nameValues(op, [&](Value value) { return describe(value, parameters); });
}

/// Past one reduction to an element of its operand, and past views of that.
static BlockArgument readArgument(tensor::ExtractOp element) {
  auto reduction = element.getTensor().getDefiningOp<linalg::GenericOp>();
  if (!reduction || reduction.getNumDpsInputs() != 1)
    return {};
  Value tensor = reduction.getDpsInputs().front();
  while (isa_and_nonnull<tensor::CastOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp, tensor::ExtractSliceOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return dyn_cast<BlockArgument>(tensor);
}

void kclaw::nameData(RequireOp op, func::FuncOp entry) {
  nameValues(op, [&](Value value) -> std::string {
    if (auto element = value.getDefiningOp<tensor::ExtractOp>())
      if (BlockArgument argument = readArgument(element))
        return "in " + argumentText(entry, argument.getArgNumber());
    if (auto dim = value.getDefiningOp<tensor::DimOp>())
      if (auto argument = dyn_cast<BlockArgument>(dim.getSource()))
        if (std::optional<int64_t> index = dim.getConstantIndex())
          return dimensionText(entry, argument.getArgNumber(), *index);
    return "";
  });
}
