//===- ErrorBudget.h - How wrong a result may be ----------------*- C++ -*-===//
//
// Both error measures of a result (||e|| / ||ref||, and max |e_i| / scale_i
// with scale_i the larger of |ref_i| and the RMS of its row) must stay within
//   rounding(dtype) + c(family, distribution) * u(arithmetic),
// or twice stock's own error, if stock is within the family's budget.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_ERRORBUDGET_H
#define KERNELCLAW_LIB_DEVICE_ERRORBUDGET_H

#include "kernelclaw/Spec/KernelSpec.h"

#include <string_view>

namespace kclaw {

/// Unit roundoff of a float type; 0 for others.
double unitRoundoff(DType type);

/// The family's budget for one result on one distribution.
double familyBudget(const KernelSpec &spec, DType result,
                    std::string_view distribution);

struct Budget {
  double bound = 0;
  bool stockInaccurate = false; ///< stock exceeds the family's budget
};
/// `stockError` is the larger of stock's two measures.
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
