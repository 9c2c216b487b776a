//===- ResultJudge.h - Results of one draw, by the rules --------*- C++ -*-===//
//
// Compares what a run left in its results with stock and reference on the data
// drawn last, and asks the rules (Rules/ResultRule.h). What a first look
// refuses gets a second one where that can be right: near a threshold
// (PerturbedReference.h), and where stock's error on further seeds of the
// distribution might widen the bound.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RESULTJUDGE_H
#define KERNELCLAW_LIB_DEVICE_RESULTJUDGE_H

#include "ErrorBudget.h"
#include "Rules/ResultRule.h"
#include "Rules/StockErrors.h"

namespace kclaw {

/// What is judged sets how stock's error enters the bound (ErrorBudget.h): in
/// a region stock must keep the family's budget, unless another stock is tried,
/// which may err as stock does; through a whole module errors build up, so
/// twice stock's always counts, indices and booleans may differ twice as often
/// as stock's, and data on which stock says nothing are dropped.
enum class Scope { Region, StockTrial, Module };

constexpr uint8_t nanPoison = 0xff;  // NaN in every float type, -1 in integers
constexpr uint8_t hugePoison = 0x7f; // huge, or NaN in f16

/// A failure of stock or reference says nothing about the candidate.
Run<void> blame(Run<void> result, const std::string &who);

// The region's pool of draws: one for each distribution and level, then these.
// Draws from firstFreshRun on are outside of the pool.
constexpr uint64_t discriminationRun = 1000;
constexpr uint64_t firstRecheckRun = 2000;
constexpr uint64_t firstFurtherRun = 3000; ///< stock on further seeds
constexpr uint64_t firstFreshRun = uint64_t{1} << 32;

/// Where the data of buffers lie.
std::vector<CUdeviceptr> addresses(const std::vector<GuardedBuffer> &buffers);

struct JudgedResult {
  size_t result = 0;
  Budget budget;
  double familyBudget = 0;
  Comparison stock, first, second; ///< second: of the second run
  bool twice = false;              ///< the runs differ: both are judged
};

class ResultJudge {
public:
  ResultJudge(Workload &load, Scope scope);

  /// Stock and reference on the data drawn last.
  Run<void> runReferences();
  /// Stock against the reference, one a result; remembers stock's errors.
  Run<std::vector<Comparison>> compareStock(const Distribution &distribution);
  /// Stock's errors on these data, which are not used.
  void forget(const Distribution &distribution) {
    stockErrors.forget(distribution.name);
  }
  /// After both: results at `first`, and where the runs differ at `second`
  /// (else empty). The order of the spec.
  Run<std::vector<JudgedResult>> judge(const Distribution &distribution,
                                       const std::vector<Comparison> &stock,
                                       const std::vector<CUdeviceptr> &first,
                                       const std::vector<CUdeviceptr> &second);

  /// What the rules see of a comparison.
  ResultCase caseOf(const JudgedResult &judged, const Comparison &found) const;
  /// The rule that refuses it, or null.
  const ResultRule *refusal(const JudgedResult &judged,
                            const Comparison &found) const;
  Budget budget(size_t result, const Distribution &distribution) const;
  /// Stock's error is so large that the data would accept nearly anything.
  bool provesNothing(size_t result, const Distribution &distribution,
                     const Comparison &stock) const;
  /// What the result is made of is so much larger that milder data prove more
  /// (Conditioning.h).
  bool isIllConditioned(size_t result) const;
  double familyBudget(size_t result, const Distribution &distribution) const;
  bool isFloatResult(size_t result) const {
    return isFloat(load.problem->results[result].dtype);
  }

private:
  Run<void> keepSpreads();
  Run<void> compareBoth(std::vector<JudgedResult> &all,
                        const std::vector<CUdeviceptr> &first,
                        const std::vector<CUdeviceptr> &second);
  Run<void> lookAgain(const Distribution &distribution,
                      std::vector<JudgedResult> &all,
                      const std::vector<CUdeviceptr> &first,
                      const std::vector<CUdeviceptr> &second);
  Run<bool> widen(const Distribution &distribution,
                  std::vector<JudgedResult> &all);
  ComparedResult compared(const JudgedResult &judged, CUdeviceptr data,
                          uint8_t poisonByte) const;

  Workload &load;
  Scope scope;
  std::vector<ResultClass> classes; ///< one a result
  std::vector<double> spreads;      ///< of the draw, in units of the result
  StockErrors stockErrors;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RESULTJUDGE_H
