//===- Conditioning.h - How large what a result is made of is ---*- C++ -*-===//
//
// A sum of products errs relative to the size of the sum, or of its terms. A
// bounded op behind it (clamp, sigmoid, tanh: Rules/OpTraits.h) leaves a result
// that is much smaller, into which the error goes undamped wherever the op does
// not saturate: |f(y + e) - f(y)| <= L |e|. Measured by the result alone,
// honest arithmetic is refused; so the part of a budget that is arithmetic
// inside is relative to the *spread*, the size that L y has.
//
// The spread is measured, not derived op by op: the reference runs once more
// with its float inputs moved by a small relative step, up or down at random. A
// sum of products then moves by step * sqrt(sum a^2 b^2), which is the step
// times its size, and through whatever follows by the derivative at each
// element. That goes for any graph, for recurrences too, in which errors grow
// from step to step. Moved elements over the step, of a row: x_i. Those that
// saturate have x_i = 0 and must not count, or the spread of the others were
// diluted; hence not the RMS, but sqrt(sum x^4 / (3 sum x^2)), which is the RMS
// of the others where these are normal.
//
// Where few elements of a row move, the whole result's spread counts: one move
// at random may be small by chance.
//
// The rounding to the result's type stays relative to the result. Where the
// spread is so large that the budget would prove little, data are drawn milder.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_CONDITIONING_H
#define KERNELCLAW_LIB_DEVICE_CONDITIONING_H

#include "Comparison.h"

namespace kclaw {

/// Before the reference runs on the current draw: the reference of moved
/// inputs, kept in `movedResults`. Inputs are those of the current draw again.
/// Nothing where spreads of this draw are known.
Run<void> runMovedReference(Workload &load, uint8_t poisonByte);

/// After `computeRowScales`: the spread of each row, and how many times the
/// result's own size the spread is, one a result (0 without spread).
Run<std::vector<double>> measureSpreads(Workload &load);

/// The budget's arithmetic, times the spread, is so much of the result that
/// milder data prove more; or the step itself moves the result so far that the
/// spread is not to be trusted.
bool isIllConditioned(const Workload &load, size_t result, double spread);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CONDITIONING_H
