//===- Agent.h - Generate, evaluate, repair, keep the best ------*- C++ -*-===//
//
// The loop over the regions: one at a time, or with an evaluator of several
// workers one a worker. Everything is recorded in the run
// directory (events.jsonl is the truth; per region and attempt the plan,
// source, prompt, reply and evaluation as plain files). A run that waits for
// outside answers goes on with the other regions first, then reports Parked.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_AGENT_AGENT_H
#define KERNELCLAW_AGENT_AGENT_H

#include "kernelclaw/Device/Evaluator.h"
#include "kernelclaw/Plan/VerifyReport.h"
#include "kernelclaw/Provider/Provider.h"
#include "kernelclaw/Store/Store.h"

namespace kclaw {

/// Hard caps; 0 means none, except maxAttempts.
struct Budget {
  int maxAttempts = 4; ///< per region
  int64_t maxTokens = 0;
  double maxDollars = 0;
  double maxSeconds = 0; ///< of all processes that worked on the run
  double maxGpuSeconds = 0;
};

struct RegionTask {
  KernelSpec spec;
  Plan stock;
  Plan reference;
  /// Smaller sizes for an evaluator that simulates; see Job::reduced.
  std::vector<ReducedProblem> reduced = {};
  std::optional<Plan> libraryStock = {}; ///< Job::libraryStock
};

struct RegionOutcome {
  enum class Status { Won, Kept, Parked };
  Status status = Status::Kept;
  Plan plan;             ///< Won: the winner, tunables chosen
  Evaluation evaluation; ///< Won: with images; Kept: of the best attempt
  std::string reason;    ///< one line for people and for the remark
  bool fromStore = false;
  bool budgetReached = false; ///< a cap ended the search (exit code 3)
  bool degraded = false;      ///< provider or evaluator failed (exit code 4)
};

struct AgentOptions {
  std::string runDirectory;
  std::string promptDirectory; ///< memorybank/prompts
  std::string arch = "sm_90a";
  Budget budget;
  uint64_t seed = 1;
  double minSpeedup = 1.02; ///< a winner must beat stock by 2 %
  bool acceptSimulated = false;
  bool deterministic = false; ///< a winner's two runs must agree bitwise
  bool compileOnly = false;   ///< evaluator=none: never a winner
  bool progress = true;       ///< one line per attempt on stderr
  std::string provider;       ///< for provenance: "openai gpt-x", "expert"
  /// All that decides what a search finds beside region and attempts: provider,
  /// its knowledge, evaluator. A region that kept stock under the same id is
  /// not searched again. Empty (provider=none): always anew.
  std::string searchId;
};

/// One outcome per task, in order. An Error only for what stops the whole run
/// (full disk, unreadable run directory); everything already won is in the
/// store by then. `store` may be null.
Expected<std::vector<RegionOutcome>>
optimizeRegions(const std::vector<RegionTask> &tasks, Provider &provider,
                Evaluator &evaluator, Store *store,
                const AgentOptions &options);

/// A winner that made the whole module wrong.
struct DroppedWinner {
  std::string symbol, specHash;
  std::string reason;
};

/// How the check of the whole module ended (verify=module).
struct Verification {
  VerifyStatus status = VerifyStatus::Unverified;
  std::string reason; ///< why it is unverified, or what failed
  std::vector<DroppedWinner> dropped;
};

/// Adds it to run.json and events.jsonl of a run that optimizeRegions ended.
Expected<void> recordVerification(const std::string &runDirectory,
                                  const Verification &verification);

} // namespace kclaw

#endif // KERNELCLAW_AGENT_AGENT_H
