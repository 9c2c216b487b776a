//===- RunSetup.h - From options to a run -----------------------*- C++ -*-===//
//
// Private to lib/Synthesize: the checked options of llm-optimize as plain
// values, and the provider, evaluator and store that they ask for.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_RUNSETUP_H
#define KERNELCLAW_LIB_SYNTHESIZE_RUNSETUP_H

#include "kernelclaw/Agent/Estimate.h"

#include <memory>
#include <string>

namespace kclaw {

/// Where things come from and go to; empty folders mean the default.
struct RunOptions {
  ProviderOptions provider;
  EvaluatorOptions evaluator;
  AgentOptions agent;
  std::string roleModels; ///< "role=model,..."
  std::string prices;     ///< file; empty: memorybank/prices.json, if there
  std::string memorybank;
  std::string replay;
  std::string store; ///< "none": no store
  bool resume = true;
  /// Neither a cap in dollars nor "none" was asked for.
  bool defaultDollarCap = true;
};

struct RunSetup {
  std::unique_ptr<Provider> provider;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Store> store; ///< null with store=none
  AgentOptions agent;
  CallHabits habits;
  bool spends = false; ///< calls cost money
};

/// Dollars that a run may cost when nobody said how much.
inline constexpr double defaultMaxDollars = 1;

/// Fills in the default folders and opens everything.
Expected<RunSetup> openRun(RunOptions options);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_RUNSETUP_H
