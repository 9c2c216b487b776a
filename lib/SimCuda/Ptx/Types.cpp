//===- Types.cpp ----------------------------------------------------------===//
#include "Types.h"

#include <iterator>

namespace kclaw::sim {

namespace {
struct TypeRow {
  std::string_view name;
  Type type;
  unsigned bits;
  bool isFloat, isSigned;
};
constexpr TypeRow rows[] = {
    {"pred", Type::Pred, 1, false, false},
    {"b8", Type::B8, 8, false, false},
    {"b16", Type::B16, 16, false, false},
    {"b32", Type::B32, 32, false, false},
    {"b64", Type::B64, 64, false, false},
    {"b128", Type::B128, 128, false, false},
    {"u8", Type::U8, 8, false, false},
    {"u16", Type::U16, 16, false, false},
    {"u32", Type::U32, 32, false, false},
    {"u64", Type::U64, 64, false, false},
    {"s8", Type::S8, 8, false, true},
    {"s16", Type::S16, 16, false, true},
    {"s32", Type::S32, 32, false, true},
    {"s64", Type::S64, 64, false, true},
    {"f16", Type::F16, 16, true, true},
    {"f16x2", Type::F16x2, 32, false, false},
    {"bf16", Type::BF16, 16, true, true},
    {"bf16x2", Type::BF16x2, 32, false, false},
    {"f32", Type::F32, 32, true, true},
    {"f32x2", Type::F32x2, 64, false, false},
    {"f64", Type::F64, 64, true, true},
};
const TypeRow &row(Type type) { return rows[static_cast<size_t>(type)]; }
} // namespace

std::optional<Type> parseType(std::string_view text) {
  for (const TypeRow &row : rows)
    if (row.name == text)
      return row.type;
  return std::nullopt;
}
std::string_view name(Type type) { return row(type).name; }
unsigned bits(Type type) { return row(type).bits; }
bool isFloat(Type type) { return row(type).isFloat; }
bool isSigned(Type type) { return row(type).isSigned; }

} // namespace kclaw::sim
