//===- Gate.h - Which methods may be planned --------------------*- C++ -*-===//
//
// Retrieval and gate, deterministic: features -> predicates -> the first case
// that fits -> methods whose preconditions hold. Code refuses what is not in
// `allowed`, whoever asks for it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_MEMORY_GATE_H
#define KERNELCLAW_MEMORY_GATE_H

#include "kernelclaw/Memory/MemoryBank.h"
#include "kernelclaw/Plan/Experience.h"

namespace kclaw {

struct Refusal {
  std::string method, why; ///< the case's reason, or the precondition's text
  bool unlisted = false;   ///< only because the case does not name it
};

struct Diagnosis {
  std::map<std::string, double> features; ///< derived fields included
  std::vector<std::string> predicates;    ///< that hold
  std::string headroom;                   ///< tier
  const Case *match = nullptr; ///< null: no case; then every method whose
                               ///< preconditions hold is allowed
  std::vector<const Method *> allowed; ///< as the case lists them
  std::vector<Refusal> refused;
  /// Where there is a plan: methods of the case that fits the region alone,
  /// which `match` neither lists nor forbids and no precondition is known to
  /// refuse. The measurements do not point at them; they are refused, too.
  std::vector<const Method *> notIndicated;
  /// Of a method that is allowed or not indicated: what of its preconditions
  /// is not known and was let pass.
  std::map<std::string, std::string> unknown;

  bool allows(const std::string &method) const;
};

Diagnosis diagnose(const MemoryBank &bank,
                   std::map<std::string, double> features);

/// A method and what is expected of it here.
struct Ranked {
  const Method *method = nullptr;
  double expectedGain = 1;  ///< posterior mean of the gain, > 1 is faster
  double deviation = 0;     ///< of log gain
  double draw = 0;          ///< what the order follows (Thompson sampling)
  double effectiveRows = 0; ///< similar experiences, by weight
};

/// Orders the allowed methods by one draw each from the posterior of their log
/// gain given experiences in similar contexts (docs/Learning.md has the
/// estimator). `tried` are methods applied to this very parent without success.
/// Deterministic given the seed and the order of experiences.
std::vector<Ranked> rank(const Diagnosis &diagnosis,
                         const std::vector<Experience> &experiences,
                         const std::vector<std::string> &tried, uint64_t seed);

/// Lessons whose signature fits, most specific first.
std::vector<const Lesson *> findLessons(const MemoryBank &bank,
                                        const Evaluation &evaluation);

} // namespace kclaw

#endif // KERNELCLAW_MEMORY_GATE_H
