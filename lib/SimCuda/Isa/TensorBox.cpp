//===- TensorBox.cpp ------------------------------------------------------===//
#include "TensorBox.h"
#include "Swizzle.h"

#include <algorithm>
#include <cstring>

namespace kclaw::sim {

using DataType = TensorMap::DataType;

/// The NaN that fills elements of a floating-point tensor: 7ff7 in each 16
/// bits.
static std::array<std::byte, 8> fillOf(const TensorMap &map) {
  std::array<std::byte, 8> fill = {};
  if (map.outOfBounds == TensorMap::Fill::Zero || map.type < DataType::F16)
    return fill;
  for (unsigned k = 0; k < fill.size(); ++k)
    fill[k] = std::byte(k % 2 ? 0x7f : 0xf7);
  return fill;
}

TensorBox::TensorBox(const TensorMap &map, const Coordinates &where)
    : swizzle(map.swizzle == TensorMap::Swizzle::None
                  ? 16
                  : 16u << unsigned(map.swizzle)),
      fill(fillOf(map)), elementBytes(map.elementBytes()),
      rounds(map.type == DataType::TF32 || map.type == DataType::TF32Ftz) {
  bool tiled = map.mode == TensorMap::Mode::Tiled;
  int64_t count = tiled ? map.box[0] : map.channelsPerPixel;
  auto size = int64_t(elementBytes);
  rowBytes = uint32_t(count * size);
  begin = std::clamp<int64_t>(-where.at[0], 0, count) * size;
  end = std::clamp<int64_t>(int64_t(map.dimension(0)) - where.at[0], 0, count) *
        size;
  tiled ? addTiles(map, where) : addPixels(map, where);
}

/// Address of a row; null when a coordinate is outside.
static std::byte *rowAt(const TensorMap &map,
                        const std::array<int64_t, 5> &at) {
  uint64_t address = map.address + uint64_t(at[0]) * map.elementBytes();
  for (unsigned d = 1; d < map.rank; ++d) {
    if (at[d] < 0 || at[d] >= int64_t(map.dimension(d)))
      return nullptr;
    address += uint64_t(at[d]) * map.strides[d - 1];
  }
  return reinterpret_cast<std::byte *>(address);
}

void TensorBox::addTiles(const TensorMap &map, const Coordinates &where) {
  std::array<int64_t, 5> step = {}, count = {1, 1, 1, 1, 1};
  uint64_t total = 1;
  for (unsigned d = 1; d < map.rank; ++d) {
    step[d] = std::max<int64_t>(map.elementStrides[d], 1);
    count[d] = (map.box[d] + step[d] - 1) / step[d];
    total *= uint64_t(count[d]);
  }
  for (uint64_t index = 0; index < total; ++index) {
    std::array<int64_t, 5> at = where.at;
    uint64_t rest = index;
    for (unsigned d = 1; d < map.rank; ++d) {
      at[d] += int64_t(rest % uint64_t(count[d])) * step[d];
      rest /= uint64_t(count[d]);
    }
    rows.push_back(rowAt(map, at));
  }
}

/// Pixels go along W, H, D in the bounding box, then to the next image.
void TensorBox::addPixels(const TensorMap &map, const Coordinates &where) {
  const unsigned spatial = map.rank - 2u;
  std::array<int64_t, 5> pixel = where.at;
  for (unsigned p = 0; p < map.pixelsPerColumn; ++p) {
    std::array<int64_t, 5> at = pixel;
    for (unsigned s = 0; s < spatial; ++s)
      at[s + 1] += where.offset[s];
    rows.push_back(rowAt(map, at));
    unsigned s = 0;
    for (; s < spatial; ++s) {
      pixel[s + 1] += std::max<int64_t>(map.elementStrides[s + 1], 1);
      if (pixel[s + 1] <=
          int64_t(map.dimension(s + 1)) - 1 + map.upperCorner[s])
        break;
      pixel[s + 1] = map.lowerCorner[s];
    }
    if (s == spatial)
      ++pixel[map.rank - 1];
  }
}

/// As cvt.rna.tf32.f32: to the nearest; a NaN is 7fffe000.
static void roundToTf32(std::byte *at) {
  uint32_t x;
  std::memcpy(&x, at, 4);
  x = (x & 0x7fffffff) > 0x7f800000 ? 0x7fffe000 : (x + 0x1000) & 0xffffe000;
  std::memcpy(at, &x, 4);
}

void TensorBox::load(std::byte *window, uint32_t offset) const {
  std::vector<std::byte> line((rowBytes + 15) / 16 * 16);
  for (std::byte *row : rows) {
    for (uint32_t k = 0; k < rowBytes; ++k)
      line[k] = fill[k % elementBytes];
    if (row && end > begin)
      std::memcpy(line.data() + begin, row + begin, size_t(end - begin));
    if (rounds && row)
      for (auto k = size_t(begin); k < size_t(end); k += 4)
        roundToTf32(line.data() + k);
    for (uint32_t k = 0; k < rowBytes; k += 16)
      std::memcpy(window + swizzled(offset + k, swizzle), line.data() + k,
                  std::min(16u, rowBytes - k));
    offset += rowBytes;
  }
}

void TensorBox::store(const std::byte *window, uint32_t offset,
                      Reduction reduction) const {
  std::vector<std::byte> line((rowBytes + 15) / 16 * 16);
  for (std::byte *row : rows) {
    for (uint32_t k = 0; k < rowBytes; k += 16)
      std::memcpy(line.data() + k, window + swizzled(offset + k, swizzle),
                  std::min(16u, rowBytes - k));
    offset += rowBytes;
    if (!row || end <= begin)
      continue;
    if (reduction)
      reduction(row + begin, line.data() + begin, uint64_t(end - begin));
    else
      std::memcpy(row + begin, line.data() + begin, size_t(end - begin));
  }
}

} // namespace kclaw::sim
