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

#include "ResultJudge.h"
#include "Rules/PrecisionClass.h"

namespace kclaw {

class CorrectnessCheck {
public:
  /// `deterministic`: see Job.
  explicit CorrectnessCheck(Workload &load, bool deterministic = false,
                            Scope scope = Scope::Region)
      : load(load), deterministic(deterministic), scope(scope),
        results(load, scope) {}

  /// Says in `target` (an Evaluation's, of the job with this seed) which
  /// elements of the first wrong result are wrong.
  void explainInto(Explanation &target, uint64_t jobSeed) {
    explanation = &target;
    seed = jobSeed;
  }
  /// Fails with the outcome that decides; `errors` is filled either way.
  Run<void> run();
  /// One more full check of what the candidate's results hold now, on the
  /// data drawn last, against the budgets of the first distribution (KB-02).
  Run<void> recheck();
  /// The cheap part of it, after every timed run: no float or bool may still
  /// be poison. Mismatch/"timed-run".
  Run<void> checkWritten();
  /// Draws never-seen data of the first distribution. For a recheck they come
  /// from the region's pool, whose reference may be known; the candidate cannot
  /// tell which it got.
  Run<void> drawFresh(bool forRecheck);
  /// What was found, whatever the outcome; message and counters are added to.
  void report(Evaluation &evaluation) const;
  /// Which arguments matter to no result; after `run`, once a region and sizes
  /// (a session remembers it).
  Run<std::vector<int>> findInputsWithoutEffect();

  const std::vector<ResultError> &resultErrors() const { return errors; }
  const std::string &notes() const { return noteText; }

private:
  Run<void> checkDistribution(size_t index);
  /// Why the data of this level are not to be judged by, or "".
  Run<std::string> tryLevel(size_t index, int level);
  Run<void> runCandidateTwice(bool &bitwiseEqual);
  std::string unusable(const Distribution &distribution, int level,
                       const std::vector<Comparison> &stock) const;
  Run<void> judgeResults(const Distribution &distribution,
                         const std::vector<Comparison> &stock,
                         bool bitwiseEqual);
  Run<void> record(const Distribution &distribution,
                   const JudgedResult &judged);
  Run<void> explain(const JudgedResult &judged, const GuardedBuffer &got,
                    uint8_t poisonByte);
  Run<void> checkTask(const Distribution &distribution, int level);
  Run<void> requireTelling();
  void note(const std::string &text);

  Workload &load;
  bool deterministic;
  Scope scope;
  ResultJudge results;
  Explanation *explanation = nullptr;
  uint64_t seed = 0;
  std::vector<ResultError> errors;
  std::vector<double> bounds; ///< per result, on the distribution drawn last
  /// Per result: on some distribution it told right from wrong.
  std::vector<bool> telling;
  std::vector<Undiscriminating> undiscriminating; ///< why those that did not
  std::string whyUndiscriminating;                ///< the first of them
  PrecisionClass precision;
  std::string noteText;
  std::expected<void, RunFailure> verdict; ///< first mismatch
  bool repeatable = true;
  uint64_t saturated = 0, excused = 0, stockDiffers = 0;
  uint64_t rechecks = 0;      ///< pool draws used so far
  uint64_t freshRuns = 0;     ///< draws outside of the pool so far
  int used = 0, ordinary = 0; ///< distributions; ordinary: not planted
  Draw firstDraw;
};

/// Three digits.
std::string shortNumber(double value);

/// "result 0 on 'normal' data: ..." of what a rule refused.
std::string describeRefusal(const ProblemTensor &tensor,
                            const ResultError &error, const ResultRule &rule,
                            const ResultCase &refused);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CORRECTNESS_H
