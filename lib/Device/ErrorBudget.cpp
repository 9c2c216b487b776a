//===- ErrorBudget.cpp - How wrong a result may be ------------------------===//
#include "ErrorBudget.h"

#include <algorithm>
#include <cmath>

namespace kclaw {

double unitRoundoff(DType type) {
  switch (type) {
  case DType::f64:
    return std::ldexp(1.0, -53);
  case DType::f32:
    return std::ldexp(1.0, -24);
  case DType::f16:
    return std::ldexp(1.0, -11);
  case DType::bf16:
    return std::ldexp(1.0, -8);
  default:
    return 0;
  }
}

namespace {

/// c of each family in units of the arithmetic's roundoff.
///
/// pointwise   a chain of up to a dozen operations, each at most 2 to 4 ulp
///             (CUDA Math API: expf 2, tanhf 2, erff 2, powf 4), of which the
///             worst element meets a few at once.
/// reduction   blockwise sums of n values err like log2(n) u sqrt(n) for
///             independent signs; the result's RMS is sqrt(n) too, so the
///             factor is log2(n) <= 32 with its tail over many rows.
/// softmax     expf of (x - max), the sum (log2 n), one division; the exponent
///             itself carries |x - max| u, below 16 for the drawn ranges.
/// norm        two sums and a division by a deviation; errors of the mean
///             enter the result undamped.
/// contraction a dot product of k independent terms errs like sqrt(k) u times
///             its RMS for sequential f32 accumulation; sqrt(2^14) = 128.
/// convolution the same.
struct FamilyRow {
  std::string_view family;
  double constant;
};
constexpr FamilyRow families[] = {
    {"pointwise", 16},    {"reduction", 64},    {"softmax", 64}, {"norm", 64},
    {"contraction", 256}, {"convolution", 256}, {"other", 256},
};

/// Conditioning of a distribution: how much larger than the result's scale
/// the terms are that cancel on the way to it. `offset` has mean 100 and
/// deviation 1: a mean of such rows errs by 100 log2(n) u / 64 deviations at
/// least, while a one-pass variance errs by 100^2 u and must still fail.
struct ConditionRow {
  std::string_view distribution;
  std::string_view family;
  double factor;
};
constexpr ConditionRow conditions[] = {
    {"offset", "norm", 16},   {"offset", "other", 16},
    {"rows", "other", 4},     {"wide", "other", 16},
    {"wide", "pointwise", 4}, {"offset", "pointwise", 4},
    {"wide", "softmax", 16},  {"offset", "softmax", 4},
};

double constantOf(std::string_view family) {
  for (const FamilyRow &row : families)
    if (row.family == family)
      return row.constant;
  return constantOf("other");
}

double conditionOf(std::string_view family, std::string_view distribution) {
  for (const ConditionRow &row : conditions)
    if (row.family == family && row.distribution == distribution)
      return row.factor;
  return 1;
}

/// Roundoff of the arithmetic inside: f64 for f64, else f32, or TF32 operands
/// (11 significant bits) where the policy lets matrix units use them.
double arithmetic(const KernelSpec &spec, DType result) {
  if (result == DType::f64)
    return unitRoundoff(DType::f64);
  bool contraction = spec.family == "contraction";
  bool convolution = spec.family == "convolution";
  bool tf32 = (spec.policy == Policy::Torch && convolution) ||
              (spec.policy == Policy::Tf32 && (contraction || convolution));
  return tf32 ? std::ldexp(1.0, -11) / 32 : unitRoundoff(DType::f32);
}

} // namespace

double familyBudget(const KernelSpec &spec, DType result,
                    std::string_view distribution) {
  // Both sides are rounded to the result's type: they may differ by one unit
  // in the last place, two roundoffs, plus a little for ties.
  bool narrow = result == DType::f16 || result == DType::bf16;
  double rounding = narrow ? 2.25 * unitRoundoff(result) : 0;
  double inside = constantOf(spec.family) *
                  conditionOf(spec.family, distribution) *
                  arithmetic(spec, result);
  double budget = rounding + inside;
  return spec.policy == Policy::Loose ? std::max(budget, 1e-2) : budget;
}

Budget budgetFor(double familyBudget, double stockError) {
  Budget budget;
  // NaN counts as inaccurate.
  budget.stockInaccurate = !(stockError <= familyBudget);
  budget.bound = budget.stockInaccurate
                     ? familyBudget
                     : std::max(familyBudget, 2 * stockError);
  return budget;
}

double moduleBound(double familyBudget, double stockError) {
  // NaN as first operand stays.
  return std::max(2 * stockError, familyBudget);
}

} // namespace kclaw
