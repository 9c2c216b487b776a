//===- ReducedSizes.cpp - A region at smaller static sizes ----------------===//
//
// Chooses the sizes, then rewrites types, splats and lists of sizes in a copy.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Outline/ReducedSizes.h"

#include "ShrinkableDims.h"
#include "SizeChoice.h"
#include "kernelclaw/Outline/DimNames.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <set>

using namespace mlir;
using namespace kclaw;

using Sizes = ShrinkableDims::Sizes;

static SmallVector<Value> borderOf(func::FuncOp region) {
  SmallVector<Value> values(region.getArguments());
  llvm::append_range(values, region.front().getTerminator()->getOperands());
  return values;
}

/// Elements of arguments and results where classes have `sizes`.
static uint64_t countElements(func::FuncOp region, ShrinkableDims &dims,
                              const Sizes &sizes) {
  uint64_t sum = 0;
  for (Value value : borderOf(region)) {
    auto shape = torch::tensorShape(value.getType());
    if (!shape)
      continue;
    uint64_t count = 1;
    for (auto [i, size] : llvm::enumerate(shape->sizes)) {
      auto other = sizes.find(dims.classOf(value, i));
      count *=
          other != sizes.end() ? other->second : std::max<int64_t>(size, 1);
    }
    sum += count;
  }
  return sum;
}

uint64_t kclaw::borderElements(func::FuncOp region) {
  ShrinkableDims dims(region);
  return countElements(region, dims, {});
}

std::vector<std::string> kclaw::shrinkableDims(func::FuncOp region) {
  ShrinkableDims dims(region);
  DimNames names(region);
  std::set<std::string> found;
  for (Value value : borderOf(region))
    for (auto [i, dim] : llvm::enumerate(names.dims(value)))
      if (dims.sizes().contains(dims.classOf(value, i)))
        found.insert(dim.name);
  return {found.begin(), found.end()};
}

static Type resized(ShrinkableDims &dims, Value value, const Sizes &sizes) {
  auto shape = torch::tensorShape(value.getType());
  if (!shape)
    return value.getType();
  SmallVector<int64_t> other = shape->sizes;
  for (auto [i, size] : llvm::enumerate(other))
    if (auto entry = sizes.find(dims.classOf(value, i)); entry != sizes.end())
      size = entry->second;
  return torch::makeTensorType(value.getContext(), other, shape->dtype);
}

/// The list that `copy` reads, with the sizes that its value has now.
static void rewriteList(Operation *copy) {
  auto [list, lists] = sizesListOf(copy);
  auto elements =
      list ? torch::listElements(list) : std::optional<SmallVector<Value>>();
  if (!elements)
    return;
  SmallVector<int64_t> sizes = torch::tensorShape(lists.getType())->sizes;
  if (elements->size() > sizes.size())
    return;
  OpBuilder builder(copy);
  size_t first = sizes.size() - elements->size();
  SmallVector<Value> fresh;
  for (auto [i, element] : llvm::enumerate(*elements)) {
    auto constant = torch::constantValue(element);
    auto integer = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
    int64_t size = sizes[first + i];
    if (!integer || integer.getInt() < 0 || integer.getInt() == size) {
      fresh.push_back(element);
      continue;
    }
    Operation *other = builder.clone(*element.getDefiningOp());
    other->setAttr("value", builder.getI64IntegerAttr(size));
    fresh.push_back(other->getResult(0));
  }
  Operation *other = builder.clone(*list.getDefiningOp());
  other->setOperands(fresh);
  copy->setOperand(1, other->getResult(0));
}

/// A reshape that lists a size which another dimension has by chance.
static bool keepsElements(Operation *op) {
  static constexpr StringLiteral reshapes[] = {"aten.view", "aten.reshape",
                                               "aten._unsafe_view"};
  if (!llvm::is_contained(reshapes, torch::opName(op)))
    return true;
  auto count = [](Value value) {
    int64_t product = 1;
    for (int64_t size : torch::tensorShape(value.getType())->sizes)
      product *= size;
    return product;
  };
  return count(op->getOperand(0)) == count(op->getResult(0));
}

/// Null where the sizes do not fit together.
static OwningOpRef<ModuleOp> resize(func::FuncOp region, ShrinkableDims &dims,
                                    const Sizes &sizes) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(region.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  IRMapping mapping;
  auto copy = cast<func::FuncOp>(builder.clone(*region, mapping));
  for (BlockArgument argument : region.getArguments())
    mapping.lookup<Value>(argument).setType(resized(dims, argument, sizes));
  for (Operation &op : region.front())
    for (Value result : op.getResults())
      mapping.lookup(result).setType(resized(dims, result, sizes));
  for (Operation &op : llvm::make_early_inc_range(copy.front())) {
    if (!keepsElements(&op))
      return nullptr;
    rewriteList(&op);
    auto literal = dyn_cast<torch::ValueTensorLiteralOp>(op);
    auto splat = literal ? dyn_cast<SplatElementsAttr>(literal.getValue())
                         : SplatElementsAttr();
    if (splat)
      literal.setValueAttr(splat.resizeSplat(
          cast<ShapedType>(splat.getType())
              .clone(torch::tensorShape(literal.getType())->sizes)));
  }
  copy.setType(
      builder.getFunctionType(copy.front().getArgumentTypes(),
                              copy.front().getTerminator()->getOperandTypes()));
  return module;
}

std::vector<OwningOpRef<ModuleOp>> kclaw::reducedVariants(func::FuncOp region,
                                                          uint64_t elements) {
  ShrinkableDims dims(region);
  std::vector<OwningOpRef<ModuleOp>> variants;
  for (const Sizes &sizes :
       chooseSizes(dims, elements, [&](const Sizes &sizes) {
         return countElements(region, dims, sizes);
       }))
    if (OwningOpRef<ModuleOp> variant = resize(region, dims, sizes))
      variants.push_back(std::move(variant));
  return variants;
}
