//===- Evaluators.h - One factory a kind ------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EVALUATORS_H
#define KERNELCLAW_LIB_DEVICE_EVALUATORS_H

#include "kernelclaw/Device/Evaluator.h"

namespace kclaw {

using MadeEvaluator = Expected<std::unique_ptr<Evaluator>>;
MadeEvaluator createLocalEvaluator(const EvaluatorOptions &options);
MadeEvaluator createMailboxEvaluator(const EvaluatorOptions &options);
MadeEvaluator createReplayEvaluator(const EvaluatorOptions &options);
MadeEvaluator createCompileOnlyEvaluator(const EvaluatorOptions &options);

/// One of our programs, and the environment variable that names it.
struct ToolRow {
  const char *name;
  const char *variable;
};
constexpr ToolRow workerTool{"kernelclaw-worker", "KERNELCLAW_WORKER"};
constexpr ToolRow runTool{"kernelclaw-run", "KERNELCLAW_RUN"};

/// The path of a tool; `named` wins when it is not empty, then the variable.
Expected<std::string> findTool(const ToolRow &tool, const std::string &named);
inline Expected<std::string> findWorker(const std::string &named) {
  return findTool(workerTool, named);
}

/// Compiles the candidate: the whole evaluation of `none`, the first half of
/// `mailbox`.
Expected<Evaluation> compileOnly(const Job &job, const std::string &workerPath);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EVALUATORS_H
