//===- ErrorBudget.cpp - How wrong a result may be ------------------------===//
#include "ErrorBudget.h"
#include "Rules/OpTraits.h"

#include "kernelclaw/Device/ModuleCheck.h"

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

// Sums are taken to be blockwise, in trees or in a few hundred partial sums, as
// every parallel kernel does: the error of a sum of n terms then grows like
// log2(n) u times the sum's scale, and one thread's running sum of m terms adds
// sqrt(m) u / 2 for rounding errors of independent signs (Higham, "Accuracy and
// Stability of Numerical Algorithms", 4.2 and 4.5).
constexpr FamilyConstant families[] = {
    {"pointwise", 16,
     "a chain of up to a dozen operations of at most 2 to 4 ulp each (CUDA "
     "Math "
     "API: expf 2, tanhf 2, erff 2, powf 4), of which the worst element meets "
     "a "
     "few at once"},
    {"reduction", 128,
     "one thread's running sum of m = 2^10 terms errs by sqrt(m) u / 3 where "
     "the terms are alike and by sqrt(m / 3) u where one of them is most of "
     "the "
     "sum from the start: 18.5 u; the worst of 2^20 rows is 5 deviations, 92 "
     "u; "
     "log2(n) <= 32 more for a tree behind it. Without the tree it is 2^11 "
     "terms"},
    {"softmax", 128,
     "the sum as a reduction of up to 2^10 terms a thread, expf 2 ulp, one "
     "division; the exponent carries |x - max| u <= 16 u on the drawn ranges"},
    {"norm", 128,
     "two reductions and a division by the deviation; the mean's error enters "
     "the result undamped"},
    {"contraction", 256,
     "a dot product of k terms in one f32 accumulator errs like sqrt(k) u / 2 "
     "times its scale: 64 for k = 2^14, four times that for the worst of 2^24 "
     "elements (a normal tail of 5.5 deviations is below 4 times)"},
    {"convolution", 256, "as a contraction over channels and window"},
    {"other", 256, "the largest of the above: several ops of any family"},
};

constexpr Conditioning conditionRows[] = {
    {"offset", "norm", 16,
     "mean 100, deviation 1: the mean errs by 100 log2(n) u / 8 deviations "
     "with "
     "blockwise sums, while a one-pass variance errs by 100^2 u and must fail"},
    {"offset", "other", 16, "as norm"},
    {"rows", "other", 4, "rows of 2^8 and of 2^-8 in one contraction or mean"},
    {"wide", "other", 16, "as softmax"},
    {"spike", "other", 16, "as norm"},
    {"wide", "pointwise", 4,
     "exp of x carries |x| u, |x| up to 2^6 while finite"},
    {"offset", "pointwise", 4,
     "exp of x carries |x| u; periodic functions too"},
    {"spike", "pointwise", 4, "exp of x carries |x| u, |x| = 64 while finite"},
    {"wide", "softmax", 16, "|x - max| u, up to 2^12 before expf is 0: 104 u"},
    {"ties", "softmax", 16,
     "few different values: a running sum of m equal terms rounds the same way "
     "again and again, up to m u / 2 and not sqrt(m) u / 2; 1024 u for m = "
     "2^11, on these data only"},
    {"rows", "softmax", 2,
     "one term may be most of the sum from the start: a running sum of m terms "
     "then errs by sqrt(m / 3) u, five times that in the worst row: 260 u for "
     "m = 2^13"},
    {"ties", "norm", 16, "as softmax"},
    {"ties", "reduction", 16, "as softmax"},
    {"offset", "softmax", 4, "(x - max) of x = 100 carries 100 u / 2"},
    {"spike", "softmax", 16, "as wide"},
    {"spike", "reduction", 2,
     "a term that is most of the sum, as rows of softmax"},
    {"spike", "contraction", 4,
     "every partial sum behind the spike has its size: sqrt(k) u of it, times "
     "5 "
     "deviations over many elements; products of two spikes may cancel"},
    {"spike", "convolution", 4, "as contraction"},
    {"spike", "norm", 16,
     "n = 4096: the spike is sqrt(n) deviations, and the mean is that of a "
     "value whose roundoff is 1024 u"},
};

double constantOf(std::string_view family) {
  for (const FamilyConstant &row : families)
    if (row.family == family)
      return row.constant;
  return constantOf("other");
}

double conditionOf(std::string_view family, std::string_view distribution) {
  for (const Conditioning &row : conditionRows)
    if (row.family == family && row.distribution == distribution)
      return row.factor;
  return 1;
}

/// Roundoff of the arithmetic inside: f64 for f64, else f32, or TF32 operands
/// (11 significant bits) where the policy lets matrix units use them.
double arithmetic(const KernelSpec &spec, DType result) {
  if (result == DType::f64)
    return unitRoundoff(DType::f64);
  return mayUseTf32(spec) ? std::ldexp(1.0, -11) / 32
                          : unitRoundoff(DType::f32);
}

/// More than these are fused in no kernel without being noticed.
constexpr size_t mostRoundings = 16;

bool isNarrow(DType type) { return type == DType::f16 || type == DType::bf16; }

/// What one rounding inside costs behind it, in roundoffs of its type.
struct Amplification {
  std::string_view family;
  double factor;
  std::string_view derivation;
};
constexpr Amplification amplifications[] = {
    {"softmax", 8, "exp of a rounded x errs by |x| u, |x| <= 6 on normal data"},
    {"norm", 4, "the rounded value enters mean, deviation and quotient"},
    {"pointwise", 4,
     "a factor of a chain: |x f'(x) / f(x)| is up to 4 for the functions that "
     "networks use, near the result's scale"},
    {"other", 4, "as norm"},
};

double amplificationOf(std::string_view family) {
  for (const Amplification &row : amplifications)
    if (row.family == family)
      return row.factor;
  return 2.25; // one unit in the last place, which may fall either way
}

} // namespace

size_t narrowIntermediates(const KernelSpec &spec) {
  size_t count = 0;
  for (const GraphOp &op : spec.graph.ops) {
    if (isExactOp(op.name))
      continue;
    for (int result : op.results)
      count += isNarrow(spec.graph.values[result].dtype) &&
               std::ranges::find(spec.graph.results, result) ==
                   spec.graph.results.end();
  }
  return count;
}

std::span<const FamilyConstant> familyConstants() { return families; }
std::span<const Conditioning> conditionings() { return conditionRows; }

BudgetParts budgetParts(const KernelSpec &spec, DType result,
                        std::string_view distribution) {
  // Both sides are rounded to the result's type: they may differ by one unit
  // in the last place, two roundoffs, plus a little for ties.
  double rounding = isNarrow(result) ? 2.25 * unitRoundoff(result) : 0;
  // PyTorch rounds the result of every op; a fused kernel need not, and f64
  // does not. Roundings of independent signs add up like their root.
  double between = 0;
  if (isNarrow(result))
    between = std::sqrt(double(
                  std::min<size_t>(narrowIntermediates(spec), mostRoundings))) *
              amplificationOf(spec.family) *
              conditionOf(spec.family, distribution) * unitRoundoff(result);
  double inside = constantOf(spec.family) *
                  conditionOf(spec.family, distribution) *
                  arithmetic(spec, result);
  if (spec.policy == Policy::Loose)
    inside = std::max(inside, 1e-2 - rounding - between);
  if (rounding > 0)
    return {rounding, between, inside};
  // Of f32 and f64 one rounding is part of what the family allows.
  rounding = std::min(inside / 2, 2.25 * unitRoundoff(result));
  return {rounding, 0, inside - rounding};
}

double familyBudget(const KernelSpec &spec, DType result,
                    std::string_view distribution) {
  return budgetParts(spec, result, distribution).total();
}

double tf32Bound() {
  KernelSpec spec;
  spec.family = "convolution";
  spec.policy = Policy::Torch;
  return familyBudget(spec, DType::f32, "normal");
}

double innerBudget(const KernelSpec &spec, std::string_view distribution) {
  bool narrower =
      std::ranges::any_of(spec.arguments, [](const TensorSpec &argument) {
        return isFloat(argument.dtype) && argument.dtype != DType::f64;
      });
  return familyBudget(spec, narrower ? DType::f32 : DType::f64, distribution);
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
