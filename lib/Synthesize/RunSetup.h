//===- RunSetup.h - From options to a run -----------------------*- C++ -*-===//
//
// Private to lib/Synthesize: the checked options of llm-optimize as plain
// values, and the provider, evaluator and store that they ask for.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_RUNSETUP_H
#define KERNELCLAW_LIB_SYNTHESIZE_RUNSETUP_H

#include "kernelclaw/Agent/Agent.h"

#include <memory>
#include <string>

namespace kclaw {

/// Where things come from and go to; empty folders mean the default.
struct RunOptions {
  ProviderOptions provider;
  EvaluatorOptions evaluator;
  AgentOptions agent;
  std::string memorybank;
  std::string replay;
  std::string store; ///< "none": no store
  bool resume = true;
};

struct RunSetup {
  std::unique_ptr<Provider> provider;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Store> store; ///< null with store=none
  AgentOptions agent;
};

/// Fills in the default folders and opens everything.
Expected<RunSetup> openRun(RunOptions options);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_RUNSETUP_H
