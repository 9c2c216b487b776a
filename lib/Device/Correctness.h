//===- Correctness.h - Is the candidate right? ------------------*- C++ -*-===//
//
// The candidate is a plan, or an entry of a lowered module (Scope).
// Every distribution: poisoned results and scratch, guard bands, inputs
// unchanged, two runs, all elements of all results against the f64 reference
// within a budget that stock's own error sets. Goes on after a mismatch, so
// that the evidence is complete; stops at a fault.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_CORRECTNESS_H
#define KERNELCLAW_LIB_DEVICE_CORRECTNESS_H

#include "Comparison.h"
#include "ErrorBudget.h"

namespace kclaw {

/// Nondeterministic/"deterministic" when `required` and two runs on data of
/// `distribution` were not bitwise equal.
Run<void> requireRepeatable(bool required, bool bitwiseEqual,
                            const std::string &distribution);

/// What is judged sets how stock's error enters the bound (ErrorBudget.h): in
/// a region stock must keep the family's budget; through a whole module errors
/// build up, so twice stock's always counts, indices and booleans may differ
/// twice as often as stock's, and data on which stock says nothing are dropped.
enum class Scope { Region, Module };

class CorrectnessCheck {
public:
  /// `deterministic`: see Job.
  explicit CorrectnessCheck(Workload &load, bool deterministic = false,
                            Scope scope = Scope::Region)
      : load(load), deterministic(deterministic), scope(scope) {}

  /// Fails with the outcome that decides; `errors` is filled either way.
  Run<void> run();
  /// One more full check of what the candidate's results hold now, on the
  /// data drawn last, against the budgets of the first distribution (KB-02).
  Run<void> recheck();
  /// The cheap part of it, after every timed run: no float or bool may still
  /// be poison. Mismatch/"timed-run".
  Run<void> checkWritten();
  /// Draws never-seen data of the first distribution.
  Run<void> drawFresh();

  const std::vector<ResultError> &resultErrors() const { return errors; }
  const std::string &notes() const { return noteText; }
  bool bitwiseRepeatable() const { return repeatable; }
  uint64_t saturatedElements() const { return saturated; }
  int distributionsUsed() const { return used; }

private:
  Run<void> checkDistribution(size_t index);
  /// False: not finite at this level.
  Run<bool> tryLevel(size_t index, int level);
  Run<void> runCandidateTwice(bool &bitwiseEqual);
  Run<void> runReferences();
  Run<void> judgeResult(size_t result, const Distribution &distribution,
                        const Comparison &stock, bool bitwiseEqual);
  Budget budget(size_t result, const Distribution &distribution,
                const Comparison &stock) const;
  bool accepts(size_t result, const Comparison &found, const Comparison &stock,
               double bound) const;
  /// Stock's error is so large that the data would accept nearly anything.
  bool provesNothing(size_t result, const Distribution &distribution,
                     const Comparison &stock) const;
  Run<void> checkDiscrimination(const Distribution &distribution, int level);
  void note(const std::string &text);
  std::string describe(size_t result, const ResultError &error,
                       const Comparison &found) const;

  Workload &load;
  bool deterministic;
  Scope scope;
  std::vector<ResultError> errors;
  std::vector<double> normalBounds; ///< per result, first distribution
  std::string noteText;
  std::expected<void, RunFailure> verdict; ///< first mismatch
  bool repeatable = true;
  uint64_t saturated = 0;
  uint64_t runs = 0;
  int used = 0;
  int firstLevel = 0;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CORRECTNESS_H
