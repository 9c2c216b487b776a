//===- ShrinkableRoles.cpp - What a region does along its dimensions ------===//
#include "ShrinkableDims.h"

#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

using namespace mlir;
using namespace kclaw;

static int64_t rankOf(Value value) {
  auto shape = torch::tensorShape(value.getType());
  return shape ? int64_t(shape->sizes.size()) : 0;
}

static std::optional<int64_t> integerOf(Operation *op, unsigned operand) {
  if (operand >= op->getNumOperands())
    return std::nullopt;
  auto constant = torch::constantValue(op->getOperand(operand));
  auto integer = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
  return integer ? std::optional(integer.getInt()) : std::nullopt;
}

void ShrinkableDims::addRole(Value value, int64_t dim, DimRole role) {
  dim += dim < 0 ? rankOf(value) : 0;
  if (dim < 0 || dim >= rankOf(value))
    return;
  DimRole &known = roles[classOf(value, dim)];
  known = std::max(known, role);
}

/// The first dimension that is normalised, with all that follow.
static int64_t normalisedFrom(Operation *op, StringRef name) {
  if (!name.contains("layer_norm") && !name.contains("rms_norm"))
    return 2; // images, after batch and channels
  auto shape = torch::listElements(op->getOperand(1));
  return rankOf(op->getOperand(0)) - (shape ? int64_t(shape->size()) : 1);
}

/// Inference scales by numbers that it is given.
static bool takesStatistics(Operation *op, StringRef name) {
  if (name.contains("no_training"))
    return false;
  if (!name.contains("batch_norm"))
    return true;
  return integerOf(op, 5).value_or(1) != 0;
}

void ShrinkableDims::findRoles(Operation *op) {
  StringRef name = torch::opName(op);
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return;
  Value in = op->getOperand(0), out = op->getResult(0);
  int64_t rank = rankOf(in);
  switch (classifyOp(name)) {
  case OpClass::Softmax:
    if (name.contains("loss")) { // [N, C, ...]
      addRole(in, rank > 1, DimRole::Reduced);
    } else if (name != "aten.logsumexp") {
      if (auto dim = integerOf(op, 1))
        addRole(in, *dim, DimRole::Reduced);
      return;
    }
    [[fallthrough]];
  case OpClass::Reduction: // what the result has not
    for (int64_t i = 0; i < rank; ++i) {
      bool kept = false;
      for (int64_t j = 0; j < rankOf(out); ++j)
        kept |= classOf(in, i) == classOf(out, j);
      if (!kept)
        addRole(in, i, DimRole::Reduced);
    }
    return;
  case OpClass::Scan:
    if (auto dim = integerOf(op, 1))
      addRole(in, *dim, DimRole::Reduced);
    return;
  case OpClass::Norm: {
    if (!takesStatistics(op, name))
      return;
    for (int64_t i = std::max<int64_t>(0, normalisedFrom(op, name)); i < rank;
         ++i)
      addRole(in, i, DimRole::Reduced);
    if (name.contains("batch_norm"))
      addRole(in, 0, DimRole::Reduced);
    return;
  }
  case OpClass::Contraction: {
    Value left = op->getOperand(name == "aten.addmm" ? 1 : 0);
    addRole(left, -1, DimRole::Contracted);
    addRole(out, -1, DimRole::Tiled);
    addRole(out, -2, DimRole::Tiled);
    return;
  }
  case OpClass::Convolution:
  case OpClass::Pooling:
    for (int64_t i = 1; i <= imageRank(op) && i < rank; ++i)
      addRole(in, -i, DimRole::Tiled);
    return;
  case OpClass::Attention:
    addRole(in, -2, DimRole::Tiled);
    addRole(op->getOperand(1), -2, DimRole::Contracted);
    return;
  default:
    return;
  }
}
