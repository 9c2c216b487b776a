//===- Distributions.cpp - The test data of a judgement -------------------===//
#include "Distributions.h"

namespace kclaw {

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
  bool follows = argument.role == Role::Input || distribution.alsoParameters;
  params.distribution = follows ? distribution.kind : KclNormal;
  params.level = follows ? level : 0;
  return params;
}

uint64_t mixSeed(uint64_t jobSeed, uint64_t run, uint64_t argument) {
  return kclMix(kclMix(kclMix(jobSeed) + run) + argument);
}

} // namespace kclaw
