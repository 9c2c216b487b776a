//===- DType.h - Element types ----------------------------------*- C++ -*-===//
//
// The element types that cross our borders: specs, plans, npz files, DLPack.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SUPPORT_DTYPE_H
#define KERNELCLAW_SUPPORT_DTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace kclaw {

/// `boolean` is one byte, 0 or 1 (torch.bool).
enum class DType : uint8_t {
  f64,
  f32,
  f16,
  bf16,
  i64,
  i32,
  i16,
  i8,
  u8,
  boolean
};

/// One row per type; `dlpackCode` is DLDataTypeCode (int 0, uint 1, float 2,
/// bfloat 4, bool 6).
struct DTypeInfo {
  DType type;
  std::string_view name;      ///< in specs and plans: "f32", "bf16", "bool"
  std::string_view torchName; ///< in meta.json: "float32", "bfloat16", "bool"
  std::string_view cudaName;  ///< in CUDA C++: "float", "__nv_bfloat16"
  uint8_t sizeBytes;
  uint8_t dlpackCode;
};

inline constexpr DTypeInfo dtypeTable[] = {
    {DType::f64, "f64", "float64", "double", 8, 2},
    {DType::f32, "f32", "float32", "float", 4, 2},
    {DType::f16, "f16", "float16", "__half", 2, 2},
    {DType::bf16, "bf16", "bfloat16", "__nv_bfloat16", 2, 4},
    {DType::i64, "i64", "int64", "long long", 8, 0},
    {DType::i32, "i32", "int32", "int", 4, 0},
    {DType::i16, "i16", "int16", "short", 2, 0},
    {DType::i8, "i8", "int8", "signed char", 1, 0},
    {DType::u8, "u8", "uint8", "unsigned char", 1, 1},
    {DType::boolean, "bool", "bool", "bool", 1, 6},
};

constexpr const DTypeInfo &info(DType type) {
  return dtypeTable[static_cast<uint8_t>(type)];
}

/// Accepts our name or PyTorch's.
constexpr std::optional<DType> parseDType(std::string_view text) {
  for (const DTypeInfo &row : dtypeTable)
    if (row.name == text || row.torchName == text)
      return row.type;
  return std::nullopt;
}

constexpr bool isFloat(DType type) { return type <= DType::bf16; }

} // namespace kclaw

#endif // KERNELCLAW_SUPPORT_DTYPE_H
