//===- SpecDims.cpp - Dimensions of a spec --------------------------------===//
//
// Names and ranges are those of DimNames; this adds the sizes to try.
//
//===----------------------------------------------------------------------===//
#include "SpecParts.h"

#include <algorithm>

using namespace mlir;

namespace kclaw::synthesize {

/// Up to three sizes to try, inside the range.
static std::vector<int64_t> samplesIn(DimRange range) {
  std::vector<int64_t> samples;
  for (int64_t size : {16, 33, 128})
    if (int64_t inside = std::clamp(size, range.min, range.max);
        std::ranges::find(samples, inside) == samples.end())
      samples.push_back(inside);
  return samples;
}

std::vector<Dim> specDims(DimNames &names, Value value) {
  std::vector<Dim> result;
  for (const DimNames::Dim &named : names.dims(value)) {
    Dim dim;
    dim.name = named.name;
    dim.value = named.size;
    if (!dim.isStatic()) {
      dim.min = named.range.min;
      dim.max = named.range.max;
      dim.samples = samplesIn(named.range);
    }
    result.push_back(std::move(dim));
  }
  return result;
}

} // namespace kclaw::synthesize
