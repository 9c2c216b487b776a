//===- ErrorBudget.h - How wrong a result may be ----------------*- C++ -*-===//
//
// Both error measures of a result (||e|| / ||ref||, and max |e_i| / scale_i
// with scale_i the larger of |ref_i| and the RMS of its row) must stay within
//   rounding(dtype) + c(family) * conditioning(family, distribution) * u,
// where rounding includes that of 16-bit values inside the region,
// or twice stock's own error, if stock is within the family's budget. The
// constants are rows of tables, each with its derivation. Two parts of it have
// a scale of their own (device/Compare.h): rounding, below the normal range of
// the type; and arithmetic, where the result is smaller than what it is made
// of.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_ERRORBUDGET_H
#define KERNELCLAW_LIB_DEVICE_ERRORBUDGET_H

#include "kernelclaw/Spec/KernelSpec.h"

#include <span>
#include <string_view>

namespace kclaw {

/// Unit roundoff of a float type; 0 for others.
double unitRoundoff(DType type);

/// c of a family, in units of the arithmetic's roundoff.
struct FamilyConstant {
  std::string_view family;
  double constant;
  std::string_view derivation;
};
std::span<const FamilyConstant> familyConstants();

/// How much larger than the result's scale the terms are that cancel on the
/// way to it, for one family on one distribution; 1 where there is no row.
struct Conditioning {
  std::string_view distribution;
  std::string_view family;
  double factor;
  std::string_view derivation;
};
std::span<const Conditioning> conditionings();

/// Values inside the region that PyTorch rounds to f16 or bf16.
size_t narrowIntermediates(const KernelSpec &spec);

/// What a budget consists of. Rounding to the result's type is relative to the
/// result, or to the smallest normal number; arithmetic inside, and rounding
/// between ops to their 16-bit types, are relative to what the result is made
/// of (Conditioning.h) where that is measured.
struct BudgetParts {
  double rounding = 0;
  double between = 0;
  double inside = 0;
  double total() const { return rounding + between + inside; }
};
BudgetParts budgetParts(const KernelSpec &spec, DType result,
                        std::string_view distribution);

/// The family's budget for one result on one distribution: all its parts.
double familyBudget(const KernelSpec &spec, DType result,
                    std::string_view distribution);

/// The budget of what is inside a region, before a threshold; relative.
double innerBudget(const KernelSpec &spec, std::string_view distribution);

struct Budget {
  double bound = 0;
  bool stockInaccurate = false; ///< stock exceeds the family's budget
};
/// `stockError` is the larger of stock's two measures, the largest over the
/// seeds of the distribution (Rules/StockErrors.h).
Budget budgetFor(double familyBudget, double stockError);

/// The same for a result of a whole module, where ops follow each other and
/// stock's own error may rightly exceed the family's budget: the larger of both
/// allowances. 0.5 or more (or NaN) means that stock errs so much on these data
/// that they prove nothing.
double moduleBound(double familyBudget, double stockError);
/// From here on zeros would nearly pass.
constexpr double uselessBound = 0.5;

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_ERRORBUDGET_H
