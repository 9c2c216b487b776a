//===- SampleStore.h - Invented entries of a store --------------*- C++ -*-===//
#ifndef KERNELCLAW_UNITTESTS_SAMPLESTORE_H
#define KERNELCLAW_UNITTESTS_SAMPLESTORE_H

#include "Plan/SampleEvaluation.h"
#include "Plan/SampleExperience.h"
#include "Plan/SamplePlan.h"
#include "TemporaryDirectory.h"
#include "kernelclaw/Store/StoreFile.h"

namespace kclaw {

inline const StoreKey key{"abc", "sm_90a", "torch", Evidence::Measured, 1};

inline StoreEntry winner(double microseconds) {
  StoreEntry entry;
  entry.won = true;
  entry.plan = samplePlan();
  entry.evaluation = sampleEvaluation();
  entry.evaluation.time.medianMicroseconds = microseconds;
  entry.provenance = "{\"provider\": \"test\"}";
  return entry;
}

inline StoreKey keyOf(const std::string &hash) {
  StoreKey other = key;
  other.specHash = hash;
  return other;
}

inline double storedMicroseconds(Store &store, const StoreKey &where = key) {
  auto entry = store.find(where);
  return entry && *entry ? (*entry)->evaluation.time.medianMicroseconds : -1;
}

inline LessonCandidate sampleLesson(const std::string &id = "run/abc/1") {
  return {id,
          failureSignature(sampleEvaluation()),
          Outcome::CompileError,
          "nvrtc",
          "a template has no body",
          "include the header that has it",
          Outcome::Mismatch,
          "sm_90a",
          Evidence::Measured,
          1700000000};
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SAMPLESTORE_H
