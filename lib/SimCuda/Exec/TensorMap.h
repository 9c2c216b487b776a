//===- TensorMap.h - What cuTensorMapEncode* writes -------------*- C++ -*-===//
//
// The 128 bytes of a CUtensorMap in a format of our own: made by the simulated
// driver, read by the TMA instructions. Dimension 0 is the innermost.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_TENSORMAP_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_TENSORMAP_H

#include <cstddef>
#include <cstdint>

namespace kclaw::sim {

struct alignas(64) TensorMap {
  static constexpr uint32_t validMagic = 0x4d54434b; ///< "KCTM"
  static constexpr unsigned maxRank = 5;

  enum class Mode : uint8_t { Tiled, Im2col, Im2colWide };
  /// In the order of CUtensorMapDataType.
  enum class DataType : uint8_t {
    U8,
    U16,
    U32,
    I32,
    U64,
    I64,
    F16,
    F32,
    F64,
    BF16,
    F32Ftz,
    TF32,
    TF32Ftz,
    Packed4x8,  ///< 16 elements of 4 bits, 8 bytes apart
    Packed4x16, ///< ... padded to 16 bytes in shared memory
    Packed6x16,
  };
  enum class Interleave : uint8_t { None, Bytes16, Bytes32 };
  enum class Swizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };
  enum class Fill : uint8_t { Zero, NanRequestZeroFma };

  uint64_t address = 0;
  uint32_t magic = 0;
  DataType type = DataType::U8;
  uint8_t rank = 0;
  Mode mode = Mode::Tiled;
  Interleave interleave = Interleave::None;
  Swizzle swizzle = Swizzle::None;
  uint8_t l2Promotion = 0; ///< CUtensorMapL2promotion; a hint
  Fill outOfBounds = Fill::Zero;
  uint8_t im2colWideMode = 0;
  uint64_t strides[4] = {};       ///< bytes, of dimensions 1..rank-1
  uint32_t lastIndex[5] = {};     ///< dimension - 1: a dimension may be 2^32
  uint16_t box[5] = {};           ///< tiled: elements, 1..256
  uint8_t elementStrides[5] = {}; ///< 1..8
  int8_t padding0 = 0;
  int16_t lowerCorner[3] = {}, upperCorner[3] = {}; ///< im2col: D, H, W order
                                                    ///< as the API gives them
  uint16_t channelsPerPixel = 0, pixelsPerColumn = 0;

  bool valid() const { return magic == validMagic; }
  uint64_t dimension(unsigned i) const { return uint64_t(lastIndex[i]) + 1; }
  /// Bytes of an element in global memory; 0: less than a byte (packed).
  unsigned elementBytes() const {
    constexpr uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4,
                                 8, 2, 4, 4, 4, 0, 0, 0};
    return bytes[size_t(type)];
  }
};
static_assert(sizeof(TensorMap) == 128);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_TENSORMAP_H
