//===- Expect.h - Results against expected ones -----------------*- C++ -*-===//
//
// The rule of --expect. With an eager32_resN beside resN (what PyTorch computes
// in the model's own type): |got - res| <= 4 max|eager32 - res| + 1e-6 max(1,
// max|res|). Without: |got - res| <= t max|res|, t by dtype. Policies other
// than strict add their own share of max|res|: torch and tf32 what a judged
// convolution in TF32 may err (tf32Bound). Integers and booleans exact;
// equal NaN and infinities match.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_EXPECT_H
#define KERNELCLAW_TOOLS_RUN_EXPECT_H

#include "Arrays.h"
#include "kernelclaw/Support/Error.h"

namespace kclaw {

enum class RunPolicy { Torch, Strict, Tf32, Loose };

struct ArrayComparison {
  bool passed = false;
  double largestError = 0; ///< over the elements that are finite in both
  double bound = 0;
  std::string reason; ///< when not passed: the first element that is wrong
};

/// `eager` may be null. Shapes that differ are a failed comparison.
ArrayComparison compare(const Array &got, const Array &expected,
                        const Array *eager, RunPolicy policy);

/// Prints a line per result; true when all passed. A count that does not fit
/// is an error.
Expected<bool> compareAll(const std::vector<Array> &results,
                          const Arrays &expected, RunPolicy policy);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_EXPECT_H
