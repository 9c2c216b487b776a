//===- SpecCosts.cpp - Arithmetic operations of a region ------------------===//
//
// Multiply-adds count twice. Estimates for what has no closed form.
//
//===----------------------------------------------------------------------===//
#include "SpecParts.h"

#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Outline/Windows.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace kclaw::synthesize {

/// Elements of a tensor, a dynamic size counted as 1; 0 for other values.
static double elements(Value value) {
  auto shape = torch::tensorShape(value.getType());
  if (!shape)
    return 0;
  double count = 1;
  for (int64_t size : shape->sizes)
    count *= ShapedType::isDynamic(size) ? 1 : double(size);
  return count;
}

/// Size of one dimension, negative from the end; 1 when dynamic or absent.
static double dimension(Value value, int64_t dim) {
  auto shape = torch::tensorShape(value.getType());
  if (!shape)
    return 1;
  int64_t rank = shape->sizes.size();
  dim = dim < 0 ? dim + rank : dim;
  return dim < 0 || dim >= rank || ShapedType::isDynamic(shape->sizes[dim])
             ? 1
             : double(shape->sizes[dim]);
}

static double contractionFlops(Operation *op) {
  StringRef name = torch::opName(op);
  bool hasBias =
      name == "aten.addmm" || name == "aten.baddbmm" || name == "aten.addmv";
  Value left = op->getOperand(hasBias ? 1 : 0);
  return 2 * elements(op->getResult(0)) * dimension(left, -1);
}

/// Each output element meets one filter; transposed, each input element.
static double convolutionFlops(Operation *op) {
  Value weight = op->getOperand(1);
  double filter = elements(weight) / std::max(1.0, dimension(weight, 0));
  bool transposed = torch::opName(op).contains("transpose");
  if (torch::opName(op) == "aten.convolution" && op->getNumOperands() > 6)
    if (auto flag = torch::constantValue(op->getOperand(6)))
      transposed = isa<BoolAttr>(*flag) && cast<BoolAttr>(*flag).getValue();
  return 2 * filter *
         elements(transposed ? op->getOperand(0) : op->getResult(0));
}

/// Each output element is an operation for each other element of its window,
/// an average's one more. Windows of adaptive pools part the input.
static double poolingFlops(Operation *op) {
  double in = elements(op->getOperand(0)), out = elements(op->getResult(0));
  auto windows = windowsOf(op);
  if (!windows)
    return std::max(in, out);
  double window = 1;
  for (const Window &along : *windows)
    window *= double(along.kernel);
  bool average = torch::opName(op).contains("avg");
  return out * std::max(1.0, average ? window : window - 1);
}

/// Two products of Lq x D x Lk, and a softmax of Lq x Lk, per head.
static double attentionFlops(Operation *op) {
  if (op->getNumOperands() < 3)
    return 0;
  double scores = elements(op->getOperand(0)) /
                  std::max(1.0, dimension(op->getOperand(0), -1)) *
                  dimension(op->getOperand(1), -2);
  return scores * (2 * dimension(op->getOperand(0), -1) +
                   2 * dimension(op->getOperand(2), -1) + 5);
}

static double opFlops(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return 0;
  double in = elements(op->getOperand(0)), out = elements(op->getResult(0));
  switch (classifyOp(torch::opName(op))) {
  case OpClass::Pointwise:
    return out;
  case OpClass::Reduction:
  case OpClass::Scan:
  case OpClass::Sort:
    return std::max(in, out);
  case OpClass::Softmax:
    return 5 * in;
  case OpClass::Norm:
    return 8 * in;
  case OpClass::Pooling:
    return poolingFlops(op);
  case OpClass::Contraction:
    return contractionFlops(op);
  case OpClass::Convolution:
    return convolutionFlops(op);
  case OpClass::Attention:
    return attentionFlops(op);
  default:
    return 0;
  }
}

double countFlops(func::FuncOp region) {
  double sum = 0;
  for (Operation &op : region.front().without_terminator())
    sum += opFlops(&op);
  return sum;
}

} // namespace kclaw::synthesize
