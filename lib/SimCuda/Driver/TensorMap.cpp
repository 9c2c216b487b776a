//===- TensorMap.cpp - cuTensorMapEncode* ---------------------------------===//
//
// Arguments are checked as the driver API documents them.
//
//===----------------------------------------------------------------------===//
#include "../Exec/TensorMap.h"
#include "Driver.h"

namespace kclaw::sim::api {

namespace {

using Map = kclaw::sim::TensorMap;

struct Common {
  CUtensorMapDataType type;
  cuuint32_t rank;
  void *address;
  const cuuint64_t *dimensions, *strides;
  const cuuint32_t *elementStrides;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion l2;
  CUtensorMapFloatOOBfill fill;
};

unsigned swizzleBytes(CUtensorMapSwizzle swizzle) {
  constexpr unsigned bytes[] = {0, 32, 64, 128};
  return bytes[swizzle];
}

bool packed(const Map &map) { return map.elementBytes() == 0; }

bool isFloat(Map::DataType type) {
  return type >= Map::DataType::F16 && type <= Map::DataType::TF32Ftz;
}

void encodeDimensions(Map &map, const Common &c) {
  uint64_t before = 0;
  uint64_t strideUnit = map.interleave == Map::Interleave::Bytes32 ? 32 : 16;
  for (unsigned i = 0; i < c.rank; ++i) {
    require(c.dimensions[i] >= 1 && c.dimensions[i] <= (uint64_t(1) << 32));
    map.lastIndex[i] = uint32_t(c.dimensions[i] - 1);
    require(c.elementStrides[i] >= 1 && c.elementStrides[i] <= 8);
    map.elementStrides[i] = uint8_t(c.elementStrides[i]);
    if (i + 1 == c.rank)
      break;
    uint64_t stride = c.strides[i];
    require(stride % strideUnit == 0 && stride < (uint64_t(1) << 40));
    uint64_t inner =
        i ? before * c.dimensions[i] : c.dimensions[0] * map.elementBytes();
    // The innermost stride must span a row; interleaved rows are pixels.
    require(map.interleave != Map::Interleave::None || stride >= inner || i);
    map.strides[i] = before = stride;
  }
}

/// Everything but the box or the im2col window.
Map encode(const Common &c) {
  require(c.address && c.dimensions && c.elementStrides);
  require(unsigned(c.type) <= unsigned(Map::DataType::Packed6x16));
  require(c.rank >= 1 && c.rank <= Map::maxRank);
  require(c.strides || c.rank == 1);
  require(unsigned(c.interleave) <= 2 && unsigned(c.swizzle) <= 3);
  require(unsigned(c.l2) <= 3 && unsigned(c.fill) <= 1);
  require(c.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE || c.rank >= 3);
  require(c.interleave != CU_TENSOR_MAP_INTERLEAVE_32B ||
          c.swizzle == CU_TENSOR_MAP_SWIZZLE_32B);
  auto address = reinterpret_cast<uintptr_t>(c.address);
  require(address % (c.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16) ==
          0);
  Map map;
  map.magic = Map::validMagic;
  map.address = address;
  map.type = Map::DataType(c.type);
  map.rank = uint8_t(c.rank);
  map.interleave = Map::Interleave(c.interleave);
  map.swizzle = Map::Swizzle(c.swizzle);
  map.l2Promotion = uint8_t(c.l2);
  map.outOfBounds = Map::Fill(c.fill);
  require(map.outOfBounds == Map::Fill::Zero || isFloat(map.type));
  encodeDimensions(map, c);
  return map;
}

void requireTensorMaps() {
  require(driver().model().clusters, CUDA_ERROR_NOT_SUPPORTED);
}

void store(CUtensorMap *out, const Map &map) {
  require(out && reinterpret_cast<uintptr_t>(out) % 64 == 0);
  std::memcpy(out, &map, sizeof map);
}

/// Copies corners of rank - 2 numbers, each in the range that rank allows.
void encodeCorners(Map &map, const int *lower, const int *upper) {
  require(lower && upper);
  int bits = map.rank == 3 ? 15 : map.rank == 4 ? 7 : 4;
  int least = -(1 << bits), most = (1 << bits) - 1;
  for (unsigned i = 0; i + 2 < map.rank; ++i) {
    require(lower[i] >= least && lower[i] <= most);
    require(upper[i] >= least && upper[i] <= most);
    map.lowerCorner[i] = int16_t(lower[i]);
    map.upperCorner[i] = int16_t(upper[i]);
  }
}

} // namespace

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuTensorMapEncodeTiled(
    CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dimensions, const cuuint64_t *strides,
    const cuuint32_t *box, const cuuint32_t *elementStrides,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) {
  return call(Needs::Init, [&] {
    requireTensorMaps();
    require(box);
    Map map = encode({type, rank, address, dimensions, strides, elementStrides,
                      interleave, swizzle, l2, fill});
    for (unsigned i = 0; i < rank; ++i) {
      require(box[i] >= 1 && box[i] <= 256);
      map.box[i] = uint16_t(box[i]);
    }
    unsigned inner = box[0] * map.elementBytes();
    if (interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && !packed(map)) {
      require(inner % 16 == 0);
      require(!swizzleBytes(swizzle) || inner <= swizzleBytes(swizzle));
    }
    store(out, map);
  });
}
KCL_API cuTensorMapEncodeIm2col(
    CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dimensions, const cuuint64_t *strides, const int *lower,
    const int *upper, cuuint32_t channels, cuuint32_t pixels,
    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
    CUtensorMapFloatOOBfill fill) {
  return call(Needs::Init, [&] {
    requireTensorMaps();
    require(rank >= 3);
    Map map = encode({type, rank, address, dimensions, strides, elementStrides,
                      interleave, swizzle, l2, fill});
    map.mode = Map::Mode::Im2col;
    encodeCorners(map, lower, upper);
    require(channels >= 1 && channels <= 256 && pixels >= 1 && pixels <= 1024);
    map.channelsPerPixel = uint16_t(channels);
    map.pixelsPerColumn = uint16_t(pixels);
    unsigned inner = channels * map.elementBytes();
    if (interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && !packed(map))
      require(!swizzleBytes(swizzle) || inner <= swizzleBytes(swizzle));
    store(out, map);
  });
}
KCL_API cuTensorMapReplaceAddress(CUtensorMap *out, void *address) {
  return call(Needs::Init, [&] {
    requireTensorMaps();
    Map map;
    require(out && address);
    std::memcpy(static_cast<void *>(&map), out, sizeof map);
    require(map.valid());
    auto value = reinterpret_cast<uintptr_t>(address);
    require(value % (map.interleave == Map::Interleave::Bytes32 ? 32 : 16) ==
            0);
    map.address = value;
    store(out, map);
  });
}
