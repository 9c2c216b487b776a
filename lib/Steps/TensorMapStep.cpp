//===- TensorMapStep.cpp - Encoding a tensor map --------------------------===//
#include "CallError.h"

#include <cstring>
#include <optional>

namespace kclaw {
namespace {

/// A mode of kcl_tensor_map, in bytes, and the driver's name of it.
template <typename E> struct ModeRow {
  uint32_t bytes;
  E mode;
};
constexpr ModeRow<CUtensorMapSwizzle> swizzles[] = {
    {0, CU_TENSOR_MAP_SWIZZLE_NONE},
    {32, CU_TENSOR_MAP_SWIZZLE_32B},
    {64, CU_TENSOR_MAP_SWIZZLE_64B},
    {128, CU_TENSOR_MAP_SWIZZLE_128B}};
constexpr ModeRow<CUtensorMapInterleave> interleaves[] = {
    {0, CU_TENSOR_MAP_INTERLEAVE_NONE},
    {16, CU_TENSOR_MAP_INTERLEAVE_16B},
    {32, CU_TENSOR_MAP_INTERLEAVE_32B}};
constexpr ModeRow<CUtensorMapL2promotion> promotions[] = {
    {0, CU_TENSOR_MAP_L2_PROMOTION_NONE},
    {64, CU_TENSOR_MAP_L2_PROMOTION_L2_64B},
    {128, CU_TENSOR_MAP_L2_PROMOTION_L2_128B},
    {256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B}};

template <typename E, size_t N>
std::optional<E> modeOf(const ModeRow<E> (&rows)[N], uint32_t bytes) {
  for (const ModeRow<E> &row : rows)
    if (row.bytes == bytes)
      return row.mode;
  return std::nullopt;
}

std::string sizesText(const kcl_tensor_map &map) {
  std::string text;
  for (int32_t i = 0; i < map.rank && i < 5; ++i)
    text += (i ? " x " : "") + std::to_string(map.dims[i]);
  text += " elements, tiles of ";
  for (int32_t i = 0; i < map.rank && i < 5; ++i)
    text += (i ? " x " : "") + std::to_string(map.box[i]);
  return text;
}

bool isEmpty(const kcl_tensor_map &map) {
  for (int32_t i = 0; i < map.rank && i < 5; ++i)
    if (map.dims[i] == 0)
      return true;
  return false;
}

} // namespace
} // namespace kclaw

using namespace kclaw;

static_assert(sizeof(CUtensorMap) == 128);
static_assert(CU_TENSOR_MAP_DATA_TYPE_UINT8 == 0 &&
              CU_TENSOR_MAP_DATA_TYPE_FLOAT16 == 6 &&
              CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 == 9 &&
              CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ == 12);

int32_t kclTensorMapEncode(const kcl_tensor_map *map, void *encoded,
                           kcl_call *call) {
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  if (!api->cuTensorMapEncodeTiled)
    return reportError(KCL_UNAVAILABLE,
                       "encoding a tensor map: this driver has none; update it "
                       "to one for CUDA 12 or newer",
                       call);
  if (isEmpty(*map)) {
    std::memset(encoded, 0, sizeof(CUtensorMap));
    return KCL_OK;
  }
  auto interleave = modeOf(interleaves, map->interleave);
  auto swizzle = modeOf(swizzles, map->swizzle);
  auto promotion = modeOf(promotions, map->l2_promotion);
  if (!interleave || !swizzle || !promotion)
    return reportError(
        KCL_INVALID_ARGUMENT,
        "encoding a tensor map: swizzle " + std::to_string(map->swizzle) +
            ", interleave " + std::to_string(map->interleave) +
            " or L2 promotion " + std::to_string(map->l2_promotion) +
            " is no number of bytes that the hardware has",
        call);
  auto encode = [&] {
    return api->cuTensorMapEncodeTiled(
        static_cast<CUtensorMap *>(encoded),
        static_cast<CUtensorMapDataType>(map->element),
        static_cast<cuuint32_t>(map->rank), const_cast<void *>(map->address),
        map->dims, map->strides, map->box, map->element_strides, *interleave,
        *swizzle, *promotion,
        map->nan_fill ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                      : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  CUresult result = encode();
  if (result == CUDA_ERROR_INVALID_CONTEXT &&
      ensureContext(*api) == CUDA_SUCCESS)
    result = encode();
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  return reportDriverError(*api, result,
                           "encoding a tensor map of " + sizesText(*map), call);
}
