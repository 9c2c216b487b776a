//===- SimulatedSizes.cpp - What is too large for a simulator -------------===//
#include "kernelclaw/Plan/SimulatedSizes.h"

#include <limits>
#include <map>

namespace kclaw {

namespace {
struct Region {
  uint64_t elements = 0;
  std::map<std::string, int64_t> sizes;
  bool dynamic = false;
};
} // namespace

static Region describe(const KernelSpec &spec) {
  constexpr uint64_t largest = std::numeric_limits<uint64_t>::max() / 2;
  Region region;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors) {
      uint64_t count = 1;
      for (const Dim &dim : tensor.dims) {
        region.dynamic |= !dim.isStatic();
        region.sizes[dim.name] = dim.value;
        uint64_t size = dim.isStatic() ? uint64_t(dim.value) : 1;
        count = size != 0 && count > largest / size ? largest : count * size;
      }
      region.elements = std::min(largest, region.elements + count);
    }
  return region;
}

std::string describeLimit(uint64_t elements) {
  return std::to_string(elements) +
         " elements in arguments and results, the simulator takes " +
         std::to_string(simulatedElements);
}

std::string whyNotSimulated(const KernelSpec &spec,
                            const std::vector<ReducedProblem> &reduced) {
  Region smallest = describe(spec);
  if (smallest.dynamic)
    return "";
  for (const ReducedProblem &other : reduced)
    if (Region region = describe(other.spec);
        region.elements < smallest.elements)
      smallest = std::move(region);
  if (smallest.elements <= simulatedElements)
    return "";
  std::string sizes;
  for (const auto &[name, size] : smallest.sizes)
    sizes += (sizes.empty() ? "" : ", ") + name + "=" + std::to_string(size);
  return "no size that can be derived of this region is small enough: the "
         "smallest (" +
         sizes + ") has " + describeLimit(smallest.elements) +
         "; no change of the candidate helps: export the model with smaller "
         "or dynamic sizes, or use a GPU";
}

} // namespace kclaw
