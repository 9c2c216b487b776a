//===- RunDirectory.h - Where everything of a run lies ----------*- C++ -*-===//
//
// Private. regions/<specHash>/attempt-<k>/{prompt,reply,plan,evaluation}.json
// and the kernels as .cu; a question asked again adds prompt-<call>.json and
// reply-<call>.json. What is recorded is never asked for again. See
// docs/run-directory.md.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_RUNDIRECTORY_H
#define KERNELCLAW_LIB_AGENT_RUNDIRECTORY_H

#include "EventLog.h"
#include "kernelclaw/Agent/Agent.h"

#include <optional>

namespace kclaw {

/// The folder of one attempt at one region.
class AttemptFolder {
public:
  AttemptFolder(std::string path) : path(std::move(path)) {}

  bool exists() const;
  Expected<void> create() const { return makeDirectory(path); }

  Expected<std::optional<Reply>> reply(int call) const;
  Expected<void> recordPrompt(int call, const Conversation &prompt) const;
  Expected<void> recordReply(int call, const Reply &reply) const;
  /// plan.json, and each CUDA module as <module>.cu.
  Expected<void> recordPlan(const Plan &plan) const;
  /// job.json: what is asked of the evaluator beside the plans, so that the
  /// attempt can be judged again (kernelclaw-worker explain).
  Expected<void> recordJob(const Job &job) const;
  Expected<std::optional<Evaluation>> evaluation() const;
  Expected<void> recordEvaluation(const Evaluation &evaluation) const;

private:
  std::string file(const char *name, int call) const;
  std::string path;
};

class RunDirectory {
public:
  /// Creates it, or goes on with it when it was made with equal options.
  static Expected<RunDirectory> open(const AgentOptions &options);

  EventLog &events() { return log; }
  AttemptFolder attempt(const std::string &specHash, int attempt) const;
  /// spec.json, stock.json and reference.json of a region, and reduced.json
  /// where a simulator judges at smaller sizes.
  Expected<void> recordTask(const RegionTask &task) const;
  Expected<void> recordSummary(const json::Json &regions);

private:
  std::string path;
  json::Json run;
  EventLog log;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_RUNDIRECTORY_H
