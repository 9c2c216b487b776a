//===- Rules/PrecisionClass.cpp - The precision that was really met -------===//
#include "Rules/PrecisionClass.h"
#include "ErrorBudget.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kclaw {

namespace {
/// Each limit lies between what arithmetic of its class leaves and what that of
/// the next leaves, by the geometric mean of the two:
///   f32   up to 256 u = 2^-16 (ErrorBudget.cpp)
///   tf32  operands rounded to 11 bits, errors of independent signs:
///         2^-12 * sqrt(2/3) = 2^-12.3 of a product's scale, twice that when
///         bits are cut off
///   bf16  8 bits: 2^-9.3
struct ClassRow {
  const char *name;
  double limit;
};
const ClassRow classes[] = {
    {"f64", 0x1p-36}, {"f32", 0x1p-14}, {"tf32", 0x1p-10},
    {"f16", 0x1p-10}, {"bf16", 0x1p-6}, {"low", HUGE_VAL},
};
} // namespace

void PrecisionClass::add(DType result, double relativeNorm) {
  auto named = [](const char *name) {
    return std::ranges::find_if(classes, [name](const ClassRow &row) {
      return std::string_view(row.name) == name;
    });
  };
  bool narrow = result == DType::f16 || result == DType::bf16;
  const ClassRow *row;
  if (narrow && relativeNorm <= 2.25 * unitRoundoff(result))
    row = named(result == DType::f16 ? "f16" : "bf16");
  else // NaN is low
    row = std::ranges::find_if(classes, [&](const ClassRow &each) {
      return relativeNorm <= each.limit;
    });
  if (row == std::end(classes))
    row = named("low");
  // An f32 result is f32 at best.
  if (result != DType::f64 && row == std::begin(classes))
    row = named("f32");
  worst = std::max(worst, static_cast<int>(row - std::begin(classes)));
}

std::string PrecisionClass::name() const {
  return worst < 0 ? "exact" : classes[worst].name;
}

} // namespace kclaw
