//===- Distributions.cpp - The test data of a judgement -------------------===//
#include "Distributions.h"
#include "ErrorBudget.h"

#include <algorithm>

namespace kclaw {

bool takesSpecials(const TensorSpec &argument) {
  return argument.role == Role::Input &&
         argument.domain.kind == Domain::Kind::Real &&
         unitRoundoff(argument.dtype) > 0;
}

bool takesSpecials(const KernelSpec &spec) {
  return std::ranges::any_of(spec.arguments, [](const TensorSpec &argument) {
    return takesSpecials(argument);
  });
}

bool follows(const TensorSpec &argument, const Distribution &distribution) {
  if (distribution.kind == KclSpecial)
    return takesSpecials(argument);
  return argument.role == Role::Input || distribution.alsoParameters;
}

bool isDrawnPositive(const KernelSpec &spec, const TensorSpec &argument,
                     const Distribution &distribution) {
  return distribution.kind == KclOffset && argument.role == Role::Param &&
         argument.domain.kind == Domain::Kind::Real &&
         (spec.family == "convolution" || mayUseTf32(spec));
}

KclGenerate generateParams(const TensorSpec &argument, uint64_t count,
                           uint64_t rowLength, const Distribution &distribution,
                           int level, uint64_t seed) {
  KclGenerate params = {};
  params.count = count;
  params.seed = seed;
  params.rowLength = rowLength;
  params.limit = argument.domain.limit;
  params.scale = argument.domain.scale;
  params.type = static_cast<int>(argument.dtype);
  params.domain = static_cast<int>(argument.domain.kind);
  params.roundoff = unitRoundoff(argument.dtype);
  bool own = follows(argument, distribution);
  params.distribution = own ? distribution.kind : KclNormal;
  params.level = own ? level : 0;
  return params;
}

KclGenerate generateParams(const KernelSpec &spec, size_t index, uint64_t count,
                           uint64_t rowLength, const Distribution &distribution,
                           int level, uint64_t seed) {
  TensorSpec argument = spec.arguments[index];
  if (isDrawnPositive(spec, argument, distribution))
    argument.domain.kind = Domain::Kind::NonNegative;
  return generateParams(argument, count, rowLength, distribution, level, seed);
}

uint64_t mixSeed(uint64_t jobSeed, uint64_t run, uint64_t argument) {
  return kclMix(kclMix(kclMix(jobSeed) + run) + argument);
}

} // namespace kclaw
