//===- Windows.cpp - Windows that slide over images -----------------------===//
#include "kernelclaw/Outline/Windows.h"

#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace kclaw;

namespace {
/// Where an op has its numbers; 0: not among its operands.
struct OperandRow {
  StringLiteral name;
  unsigned kernel, stride, padding, dilation;
  unsigned flag; ///< must be false: ceil_mode, transposed
};
} // namespace
static constexpr OperandRow rows[] = {
    {"aten.max_pool", 1, 2, 3, 4, 5},    {"aten.avg_pool", 1, 2, 3, 0, 4},
    {"aten.convolution", 0, 3, 4, 5, 6}, {"aten._convolution", 0, 3, 4, 5, 6},
    {"aten.conv", 0, 3, 4, 5, 0},
};

static const OperandRow *rowOf(Operation *op) {
  StringRef name = torch::opName(op);
  // conv_transpose2d, and "same" or "valid" in place of numbers.
  if (name.contains("transpose") || name.ends_with(".padding"))
    return nullptr;
  for (const OperandRow &row : rows)
    if (name.starts_with(row.name))
      return &row;
  return nullptr;
}

int64_t kclaw::imageRank(Operation *op) {
  StringRef name = torch::opName(op);
  for (StringRef digit : {"1d", "2d", "3d"})
    if (name.contains(digit))
      return digit[0] - '0';
  if (!name.contains("convolution") || op->getNumOperands() < 2)
    return 0;
  auto weight = torch::tensorShape(op->getOperand(1).getType());
  return weight ? std::max<int64_t>(0, int64_t(weight->sizes.size()) - 2) : 0;
}

/// `rank` numbers of an operand; a list of one is for all, an empty or missing
/// one is `otherwise`.
static std::optional<SmallVector<int64_t>>
numbersOf(Operation *op, unsigned operand, int64_t rank,
          SmallVector<int64_t> otherwise) {
  if (operand == 0 || operand >= op->getNumOperands())
    return otherwise;
  Value value = op->getOperand(operand);
  SmallVector<int64_t> numbers;
  for (Value element :
       torch::listElements(value).value_or(SmallVector<Value>{value})) {
    auto constant = torch::constantValue(element);
    auto integer = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
    if (!integer)
      return std::nullopt;
    numbers.push_back(integer.getInt());
  }
  if (numbers.empty())
    return otherwise;
  if (numbers.size() == 1)
    numbers.resize(rank, numbers.front());
  return int64_t(numbers.size()) == rank ? std::optional(numbers)
                                         : std::nullopt;
}

static bool isFalse(Operation *op, unsigned operand) {
  if (operand == 0 || operand >= op->getNumOperands())
    return true;
  auto constant = torch::constantValue(op->getOperand(operand));
  auto flag = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
  return flag && flag.getValue().isZero();
}

/// Of a convolution they are the weight's sizes.
static std::optional<SmallVector<int64_t>>
kernelOf(Operation *op, const OperandRow &row, int64_t rank) {
  if (row.kernel != 0)
    return numbersOf(op, row.kernel, rank, {});
  auto weight = torch::tensorShape(op->getOperand(1).getType());
  if (!weight || int64_t(weight->sizes.size()) != rank + 2 ||
      llvm::any_of(weight->sizes, ShapedType::isDynamic))
    return std::nullopt;
  return SmallVector<int64_t>(llvm::drop_begin(weight->sizes, 2));
}

std::optional<SmallVector<Window>> kclaw::windowsOf(Operation *op) {
  const OperandRow *row = rowOf(op);
  int64_t rank = row && op->getNumOperands() > 1 ? imageRank(op) : 0;
  if (rank == 0 || !isFalse(op, row->flag))
    return std::nullopt;
  auto kernel = kernelOf(op, *row, rank);
  if (!kernel || int64_t(kernel->size()) != rank)
    return std::nullopt;
  SmallVector<int64_t> ones(rank, 1), zeros(rank, 0);
  auto stride =
      numbersOf(op, row->stride, rank, row->kernel != 0 ? *kernel : ones);
  auto padding = numbersOf(op, row->padding, rank, zeros);
  auto dilation = numbersOf(op, row->dilation, rank, ones);
  if (!stride || !padding || !dilation)
    return std::nullopt;
  SmallVector<Window> windows;
  for (int64_t i = 0; i < rank; ++i) {
    Window window{(*kernel)[i], (*stride)[i], (*padding)[i], (*dilation)[i]};
    if (window.kernel < 1 || window.stride < 1 || window.padding < 0 ||
        window.dilation < 1)
      return std::nullopt;
    windows.push_back(window);
  }
  return windows;
}
