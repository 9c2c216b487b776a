//===- Retrieval.h - The gate for one attempt, on record --------*- C++ -*-===//
//
// Private. Features of a parent -> diagnosis -> allowed methods, ranked by what
// they did in similar contexts. Recorded as attempt-<k>/gate.json before it is
// used: a resumed run reads it, whatever the store has learned since.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_RETRIEVAL_H
#define KERNELCLAW_LIB_AGENT_RETRIEVAL_H

#include "Attempt.h"

namespace kclaw {

struct RankedMethod {
  const Method *method = nullptr;
  /// What the order follows.
  double expectedGain = 1, deviation = 0, effectiveRows = 0;
  /// The same without attempts at this very region: what a model is told, for
  /// whom those stand in the history.
  double elsewhereGain = 1, elsewhereRows = 0;
  /// A condition that is not known, or that nothing points at it; for models.
  std::string note;
};

struct Retrieved {
  int parent = 0; ///< 0: the region itself, for a seed
  std::map<std::string, double> features;
  std::vector<std::string> predicates;
  std::string headroom, caseName, bottleneck, advice;
  std::vector<RankedMethod> allowed; ///< the most promising first
  std::vector<Refusal> refused;

  /// Empty when the method may be planned; else why not, for the model.
  std::string whyNot(const std::string &method) const;
};

/// For an attempt that starts from `parent`; null: for a seed. Refused are
/// methods that were fruitless on this very parent, and those that it was made
/// by, unless their card says "repeatable". Where fewer than three are left,
/// those of the region's own case join, marked as not indicated.
Retrieved retrieve(const Run &run, const RegionTask &task, const Tree &tree,
                   const AttemptRecord *parent, int attempt);

Expected<std::optional<Retrieved>> readRetrieved(const Run &run,
                                                 const AttemptFolder &folder);
Expected<void> recordRetrieved(const AttemptFolder &folder,
                               const Retrieved &retrieved);

/// For prompts: what is known of the parent, and the cards of the first
/// `cards` methods (when, why, how, expected changes, hazards).
std::string describeDiagnosis(const Retrieved &retrieved);
std::string describeMethods(const Retrieved &retrieved, size_t cards,
                            bool refusals = true);
/// The whole card, with its example.
std::string describeCard(const Method &method);

/// What the gate said, as part of a decision.
void noteGate(Decision &decision, const Retrieved &retrieved);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_RETRIEVAL_H
