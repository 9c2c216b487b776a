//===- TensorMaps.h - Tensor maps for tests ---------------------*- C++ -*-===//
#ifndef KERNELCLAW_UNITTESTS_SIMCUDA_TENSORMAPS_H
#define KERNELCLAW_UNITTESTS_SIMCUDA_TENSORMAPS_H

#include "SimCuda/Exec/TensorMap.h"

#include <algorithm>
#include <vector>

namespace kclaw::sim {

/// A tensor of 32-bit floats without gaps, dimension 0 the innermost.
inline TensorMap mapOf(uintptr_t address,
                       const std::vector<uint32_t> &dimensions,
                       const std::vector<uint16_t> &box,
                       TensorMap::Swizzle swizzle = TensorMap::Swizzle::None) {
  TensorMap map;
  map.magic = TensorMap::validMagic;
  map.address = address;
  map.type = TensorMap::DataType::F32;
  map.rank = uint8_t(dimensions.size());
  map.swizzle = swizzle;
  std::ranges::copy(box, map.box);
  uint64_t stride = sizeof(float);
  for (size_t d = 0; d < dimensions.size(); ++d) {
    map.lastIndex[d] = dimensions[d] - 1;
    map.elementStrides[d] = 1;
    stride *= dimensions[d];
    if (d + 1 < dimensions.size())
      map.strides[d] = stride;
  }
  return map;
}

} // namespace kclaw::sim

#endif // KERNELCLAW_UNITTESTS_SIMCUDA_TENSORMAPS_H
