//===- DimNames.cpp - Names and ranges of a region's dimensions -----------===//
//
// Ranges of dynamic dimensions come from `claw.dims`, which kclaw-outline left.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Outline/DimNames.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace kclaw;

static constexpr int64_t largestSize = std::numeric_limits<int32_t>::max();

/// Sizes of a Torch or builtin tensor; empty for other values.
static SmallVector<int64_t> sizesOf(Value value) {
  if (auto shape = torch::tensorShape(value.getType()))
    return SmallVector<int64_t>(shape->sizes);
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? SmallVector<int64_t>(tensor.getShape())
                : SmallVector<int64_t>();
}

/// claw.dims of one value; null when all its sizes are static. Labels are
/// numbered as they appear in the region, so that equal regions stay equal.
static ArrayAttr dimLabels(Value value, DimClasses &dims,
                           llvm::DenseMap<unsigned, std::string> &labels) {
  auto shape = torch::tensorShape(value.getType());
  if (!shape || !llvm::is_contained(shape->sizes, ShapedType::kDynamic))
    return nullptr;
  SmallVector<Attribute> texts;
  for (unsigned i = 0; i < shape->sizes.size(); ++i) {
    std::string text;
    if (ShapedType::isDynamic(shape->sizes[i])) {
      unsigned dimClass = dims.classOf(value, i);
      auto [it, isNew] = labels.try_emplace(dimClass);
      if (isNew) {
        it->second = "n" + std::to_string(labels.size() - 1);
        if (std::optional<DimRange> range = dims.rangeOf(dimClass))
          it->second += ":" + std::to_string(range->min) + ":" +
                        std::to_string(range->max);
      }
      text = it->second;
    }
    texts.push_back(StringAttr::get(value.getContext(), text));
  }
  return ArrayAttr::get(value.getContext(), texts);
}

void kclaw::labelDims(func::FuncOp function, ArrayRef<Value> arguments,
                      ArrayRef<Value> results, DimClasses &dims) {
  llvm::DenseMap<unsigned, std::string> labels;
  for (auto [i, value] : llvm::enumerate(arguments))
    if (ArrayAttr texts = dimLabels(value, dims, labels))
      function.setArgAttr(i, dimsAttrName, texts);
  for (auto [i, value] : llvm::enumerate(results))
    if (ArrayAttr texts = dimLabels(value, dims, labels))
      function.setResultAttr(i, dimsAttrName, texts);
}

/// Labels stay: later forms of the function say less than its first.
static bool hasLabels(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, dimsAttrName))
      return true;
  return false;
}

void kclaw::labelEntryDims(ModuleOp module) {
  for (auto entry : module.getOps<func::FuncOp>()) {
    if (entry.isPrivate() || entry.isDeclaration() ||
        !entry.getBody().hasOneBlock() || hasLabels(entry))
      continue;
    DimClasses dims(entry);
    SmallVector<Value> arguments(entry.getArguments());
    labelDims(entry, arguments, {}, dims);
  }
}

/// "n0:2:512" ties the dimension to others called n0 and gives its range.
void DimNames::readLabels(Value value, ArrayAttr labels) {
  for (auto [i, attribute] : llvm::enumerate(labels)) {
    auto text = dyn_cast<StringAttr>(attribute);
    if (!text || text.empty())
      continue;
    auto [name, range] = text.getValue().split(':');
    auto [it, isNew] =
        labelled.try_emplace(name, std::pair(value, unsigned(i)));
    if (!isNew)
      classes.unify(it->second.first, it->second.second, value, i);
    auto [min, max] = range.split(':');
    DimRange parsed;
    if (!min.getAsInteger(10, parsed.min) && !max.getAsInteger(10, parsed.max))
      ranges[name] = parsed;
  }
}

DimNames::DimNames(func::FuncOp region) : classes(region) {
  for (BlockArgument argument : region.getArguments())
    if (auto labels = region.getArgAttrOfType<ArrayAttr>(
            argument.getArgNumber(), dimsAttrName))
      readLabels(argument, labels);
  SmallVector<Value> border(region.getArguments());
  Operation *terminator = region.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    border.push_back(value);
    if (auto labels = region.getResultAttrOfType<ArrayAttr>(i, dimsAttrName))
      readLabels(value, labels);
  }
  for (Value value : border)
    for (unsigned i = 0; i < sizesOf(value).size(); ++i)
      names.try_emplace(classes.classOf(value, i),
                        "d" + std::to_string(names.size()));
}

std::multiset<unsigned> DimNames::dynamicClasses(Value value) {
  std::multiset<unsigned> result;
  for (auto [i, size] : llvm::enumerate(sizesOf(value)))
    if (ShapedType::isDynamic(size))
      result.insert(classes.classOf(value, i));
  return result;
}

Value DimNames::findUntied(func::FuncOp region) {
  static const StringRef reshapes[] = {"aten.view", "aten.reshape",
                                       "aten._unsafe_view"};
  std::set<unsigned> known;
  for (BlockArgument argument : region.getArguments())
    for (unsigned dimClass : dynamicClasses(argument))
      known.insert(dimClass);
  for (Operation &op : region.front().without_terminator()) {
    if (llvm::is_contained(reshapes, torch::opName(&op)) &&
        dynamicClasses(op.getOperand(0)) != dynamicClasses(op.getResult(0)))
      return op.getResult(0);
    for (Value value : op.getResults())
      for (unsigned dimClass : dynamicClasses(value))
        if (!known.contains(dimClass))
          return value;
  }
  return nullptr;
}

DimRange DimNames::rangeOf(unsigned dimClass) {
  DimRange range{1, largestSize};
  for (auto &entry : labelled)
    if (ranges.contains(entry.first()) &&
        classes.classOf(entry.second.first, entry.second.second) == dimClass)
      range = ranges[entry.first()];
  range.min = std::max<int64_t>(range.min, 1);
  range.max = std::max(range.min, std::min(range.max, largestSize));
  return range;
}

std::vector<DimNames::Dim> DimNames::dims(Value value) {
  std::vector<Dim> result;
  for (auto [i, size] : llvm::enumerate(sizesOf(value))) {
    unsigned dimClass = classes.classOf(value, i);
    bool dynamic = ShapedType::isDynamic(size);
    result.push_back({names.lookup(dimClass), dynamic ? -1 : size,
                      dynamic ? rangeOf(dimClass) : DimRange{size, size}});
  }
  return result;
}
