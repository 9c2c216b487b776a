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
  /// Any other file of the attempt; nullopt: it is not there.
  Expected<std::optional<std::string>> read(const std::string &name) const;
  Expected<void> record(const std::string &name, const std::string &text) const;

private:
  std::string file(const char *name, int call) const;
  std::string path;
};

class RunDirectory {
public:
  /// Creates it, or goes on with it when it was made with equal options.
  static Expected<RunDirectory> open(const AgentOptions &options);

  EventLog &events() { return log; }
  const EventLog &events() const { return log; }
  /// Names this run among others, in what it teaches; kept in run.json.
  const std::string &id() const { return runId; }
  AttemptFolder attempt(const std::string &specHash, int attempt) const;
  /// Of a region whose candidates did not tell which stock is the better one.
  AttemptFolder libraryStock(const std::string &specHash) const;
  /// spec.json, stock.json and reference.json of a region, and reduced.json
  /// where a simulator judges at smaller sizes.
  Expected<void> recordTask(const RegionTask &task) const;
  /// run.json: a row per region of the module.
  Expected<void> recordRegions(const json::Json &regions);
  /// The same before they are searched, so that a run that is cut off has them;
  /// nothing where run.json has rows.
  Expected<void> nameRegions(const json::Json &regions);
  /// summary.json (Summary.h).
  Expected<void> recordSummary(const json::Json &summary);

private:
  std::string path;
  std::string runId;
  json::Json run;
  EventLog log;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_RUNDIRECTORY_H
