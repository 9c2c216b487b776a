//===- SampleExperience.h - One invented experience for tests ---*- C++ -*-===//
//
// Every member differs from its default.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SAMPLEEXPERIENCE_H
#define KERNELCLAW_UNITTESTS_SAMPLEEXPERIENCE_H

#include "kernelclaw/Plan/Experience.h"

#include <cmath>

namespace kclaw {

inline Experience sampleExperience(const std::string &id = "run/abc/2") {
  Experience e;
  e.id = id;
  e.specHash = "abc";
  e.family = "reduction";
  e.arch = "sm_90a";
  e.policy = "torch";
  e.context = {{"dramThroughput", 41.5}, {"rows", 1024}, {"ratio", INFINITY}};
  e.caseName = "memory-bound-rows";
  e.method = "vectorize-loads";
  e.predicted = {{"time", -1}, {"sectorsPerLoad", 0}, {"dramThroughput", 1}};
  e.measured = {{"time", 0.75}, {"dramThroughput", 1.3}};
  e.outcome = Outcome::Ok;
  e.rule = "budget";
  e.evidence = Evidence::Measured;
  e.gain = 1.25;
  e.device = "NVIDIA H200";
  e.weight = 0.5;
  e.unixSeconds = 1700000000;
  return e;
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SAMPLEEXPERIENCE_H
