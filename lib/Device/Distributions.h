//===- Distributions.h - The test data of a judgement -----------*- C++ -*-===//
//
// Eight distributions; each respects the domain of every argument. A
// distribution on which the reference or stock is not finite, or the reference
// is constant, is tried again milder, twice (Rules/Redraw.h).
//
// `spike` has one large value among thousands, so that sums of samples fail.
// `special` plants NaN, infinities, zeros and denormals in float inputs of the
// real domain; where a region has none it is left out.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_DISTRIBUTIONS_H
#define KERNELCLAW_LIB_DEVICE_DISTRIBUTIONS_H

#include "JudgeStructs.h"
#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

struct Distribution {
  int kind;         ///< KclDistribution
  const char *name; ///< in reports
  /// Weights and buffers follow the distribution of the data? Offsets and wide
  /// ranges in both would only test overflow.
  bool alsoParameters;
};

inline constexpr Distribution distributions[] = {
    {KclNormal, "normal", true},  {KclUniform, "uniform", true},
    {KclOffset, "offset", false}, {KclTies, "ties", true},
    {KclWide, "wide", false},     {KclRows, "rows", false},
    {KclSpike, "spike", false},   {KclSpecial, "special", false},
};
constexpr int levels = 3;

/// Values that are not finite may be planted in it.
bool takesSpecials(const TensorSpec &argument);
/// Any argument does.
bool takesSpecials(const KernelSpec &spec);

/// Is the argument drawn from the distribution, at its level? Others are
/// normal.
bool follows(const TensorSpec &argument, const Distribution &distribution);

/// Real parameters of convolutions are drawn positive beside `offset` data: a
/// row of a result shares one channel's weights, and where these sum up to next
/// to nothing, what is left of inputs of 100 is mostly TF32's rounding of them.
bool isDrawnPositive(const KernelSpec &spec, const TensorSpec &argument,
                     const Distribution &distribution);

/// Parameters of kcl_generate for one argument, but for data and mismatches.
KclGenerate generateParams(const TensorSpec &argument, uint64_t count,
                           uint64_t rowLength, const Distribution &distribution,
                           int level, uint64_t seed);

/// The same for argument `index` of a region.
KclGenerate generateParams(const KernelSpec &spec, size_t index, uint64_t count,
                           uint64_t rowLength, const Distribution &distribution,
                           int level, uint64_t seed);

/// Seeds of a run: different for each (job seed, run, argument).
uint64_t mixSeed(uint64_t jobSeed, uint64_t run, uint64_t argument);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_DISTRIBUTIONS_H
