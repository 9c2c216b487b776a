//===- Estimate.h - What a run may cost, before it does ---------*- C++ -*-===//
//
// Regions by time share x headroom, calls, tokens and dollars as a range, and
// the very text that would leave this machine first. Nothing is asked of a
// provider or evaluator. docs/Budgets.md has an example and how it is counted.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_AGENT_ESTIMATE_H
#define KERNELCLAW_AGENT_ESTIMATE_H

#include "kernelclaw/Agent/Agent.h"

namespace kclaw {

/// A strategy's habits: memorybank/estimate.json.
struct CallHabits {
  double attempts = 0.5; ///< least part of max-attempts that is made
  double callsLow = 1, callsHigh = 1; ///< for one attempt
  /// Prompt of a mean call over the first one's.
  double inputLow = 1, inputHigh = 1;
  int64_t outputLow = 1000; ///< tokens; at most the output limit
  double bytesPerToken = 4; ///< of a prompt, at most; budgets count worse
};

struct EstimateData {
  CallHabits habits;
  RooflineRates rates;
};

/// `file`: memorybank/estimate.json. An architecture that it does not list has
/// the rates of RooflineRates.
Expected<EstimateData> loadEstimateData(const std::string &file,
                                        const std::string &strategy,
                                        const std::string &arch);

struct RegionEstimate {
  std::string symbol, specHash;
  int uses = 1;
  double timeShare = 0, headroom = 1, stockMicroseconds = 0;
  bool stockMeasured = false;
  std::string whyNothing; ///< no call is made: in the store, at the roofline
  int64_t callsLow = 0, callsHigh = 0;
  Usage low, high; ///< sums over the calls
};

struct Estimate {
  std::vector<RegionEstimate> regions; ///< heaviest first
  int64_t callsLow = 0, callsHigh = 0;
  Usage low, high;     ///< high: no more than the caps allow
  bool priced = false; ///< dollars are known, maybe 0
  /// The first question of each region as it would be sent.
  std::string text;
  size_t textBytes = 0;
};

/// As optimizeRegions would go about it. `store` may be null and is only read.
Expected<Estimate> estimateRun(const std::vector<RegionTask> &tasks,
                               const Provider &provider,
                               const Evaluator &evaluator, Store *store,
                               const AgentOptions &options,
                               const CallHabits &habits);

/// The table, and what would leave the machine, for people.
std::string describe(const Estimate &estimate, const AgentOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_AGENT_ESTIMATE_H
