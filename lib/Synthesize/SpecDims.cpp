//===- SpecDims.cpp - Names and ranges of dimensions ----------------------===//
//
// One name a class, numbered as they appear. Ranges of dynamic dimensions come
// from `claw.dims`, which kclaw-outline left.
//
//===----------------------------------------------------------------------===//
#include "SpecParts.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace kclaw::synthesize {

static constexpr int64_t largestSize = std::numeric_limits<int32_t>::max();

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
  Operation *terminator = region.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
    if (auto labels = region.getResultAttrOfType<ArrayAttr>(i, dimsAttrName))
      readLabels(value, labels);
}

std::multiset<unsigned> DimNames::dynamicClasses(Value value) {
  std::multiset<unsigned> result;
  auto shape = torch::tensorShape(value.getType());
  for (unsigned i = 0; shape && i < shape->sizes.size(); ++i)
    if (ShapedType::isDynamic(shape->sizes[i]))
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

/// Up to three sizes to try, inside the range.
static std::vector<int64_t> samplesIn(int64_t min, int64_t max) {
  std::vector<int64_t> samples;
  for (int64_t size : {16, 33, 128})
    if (int64_t inside = std::clamp(size, min, max);
        std::ranges::find(samples, inside) == samples.end())
      samples.push_back(inside);
  return samples;
}

std::vector<Dim> DimNames::dims(Value value) {
  std::vector<Dim> result;
  auto shape = torch::tensorShape(value.getType());
  for (unsigned i = 0; shape && i < shape->sizes.size(); ++i) {
    unsigned dimClass = classes.classOf(value, i);
    auto [it, isNew] = names.try_emplace(dimClass);
    if (isNew)
      it->second = "d" + std::to_string(names.size() - 1);
    Dim dim;
    dim.name = it->second;
    dim.value = ShapedType::isDynamic(shape->sizes[i]) ? -1 : shape->sizes[i];
    if (!dim.isStatic()) {
      DimRange range{1, largestSize};
      for (auto &entry : labelled)
        if (ranges.contains(entry.first()) &&
            classes.classOf(entry.second.first, entry.second.second) ==
                dimClass)
          range = ranges[entry.first()];
      dim.min = std::max<int64_t>(range.min, 1);
      dim.max = std::max(dim.min, std::min(range.max, largestSize));
      dim.samples = samplesIn(dim.min, dim.max);
    }
    result.push_back(std::move(dim));
  }
  return result;
}

} // namespace kclaw::synthesize
