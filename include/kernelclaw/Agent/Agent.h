//===- Agent.h - Generate, evaluate, repair, keep the best ------*- C++ -*-===//
//
// The loop over the regions, several at a time (AgentOptions::jobs), those
// first where most is to be gained. Everything is recorded in the run
// directory (events.jsonl is the truth; per region and attempt the plan,
// source, prompt, reply and evaluation as plain files; summary.json at the
// end). A run that waits for outside answers goes on with the other regions
// first, then reports Parked. docs/Budgets.md says how a budget is spent.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_AGENT_AGENT_H
#define KERNELCLAW_AGENT_AGENT_H

#include "kernelclaw/Device/Evaluator.h"
#include "kernelclaw/Plan/VerifyReport.h"
#include "kernelclaw/Provider/Provider.h"
#include "kernelclaw/Store/Store.h"

#include <atomic>

namespace kclaw {

/// Hard caps; 0 means none, except maxAttempts.
struct Budget {
  int maxAttempts = 4; ///< per region
  int64_t maxTokens = 0;
  double maxDollars = 0;
  double maxSeconds = 0; ///< of all processes that worked on the run
  double maxGpuSeconds = 0;
};

/// A line of the model's source, as the export names it.
struct SourceLine {
  std::string file;
  int64_t line = 0;
  bool operator==(const SourceLine &) const = default;
};

struct RegionTask {
  KernelSpec spec;
  Plan stock;
  Plan reference;
  /// Smaller sizes for an evaluator that simulates; see Job::reduced.
  std::vector<ReducedProblem> reduced = {};
  std::optional<Plan> libraryStock = {}; ///< Job::libraryStock
  /// Where its ops stand, each line once; for people. Empty: not known.
  std::vector<SourceLine> lines = {};
};

struct RegionOutcome {
  enum class Status { Won, Kept, Parked };
  Status status = Status::Kept;
  Plan plan;             ///< Won: the winner, tunables chosen
  Evaluation evaluation; ///< Won: with images; Kept: of the best attempt
  std::string reason;    ///< one line for people and for the remark
  /// Which stock is beside the winner, or kept. `library` only from evidence
  /// that may be embedded here.
  StockReport stock;
  bool fromStore = false;
  bool budgetReached = false; ///< a cap ended the search (exit code 3)
  bool degraded = false;      ///< provider or evaluator failed (exit code 4)
};

/// Upper bounds of a device's rates, and what a launch costs: for choosing
/// among regions, never for judging. The defaults are an H200's.
struct RooflineRates {
  double bytesPerSecond = 4.8e12;
  double flopsPerSecond = 67e12;      ///< f32
  double tf32FlopsPerSecond = 494e12; ///< tensor cores, dense
  double halfFlopsPerSecond = 989e12; ///< f16 and bf16, dense
  double launchSeconds = 2e-6;
};

/// What stderr shows while a run goes on. Auto: Live on a terminal, else Plain.
/// Plain: a line per attempt. Json: an object per line
/// (docs/schema/progress.schema.json).
enum class ProgressKind { None, Auto, Plain, Live, Json };

struct AgentOptions {
  std::string runDirectory;
  std::string promptDirectory; ///< memorybank/prompts
  std::string memorybank;      ///< read by roles and agent
  std::string arch = "sm_90a";
  Budget budget;
  uint64_t seed = 1;
  double minSpeedup = 1.02; ///< a winner must beat stock by 2 %
  bool acceptSimulated = false;
  bool deterministic = false; ///< a winner's two runs must agree bitwise
  bool compileOnly = false;   ///< evaluator=none: never a winner
  ProgressKind progress = ProgressKind::Auto;
  /// Regions that are searched at once, each with one call or evaluation under
  /// way; 0: as many as the evaluator judges at once.
  int jobs = 0;
  RooflineRates rates = {};
  /// Set from any thread or a signal handler: no new call or evaluation is
  /// begun, and optimizeRegions ends with an error soon. Null: never.
  const std::atomic<bool> *cancelled = nullptr;
  /// greedy: one question an attempt. roles: generator, planner, optimizer,
  /// diagnoser, repairer. agent: one conversation with tools a region.
  std::string strategy = "greedy";
  int seeds = 2;          ///< roles: first attempts that differ in approach
  int beam = 3;           ///< roles: the best so many are branched from
  int repairCap = 3;      ///< roles: repairs in a row, then back to the parent
  int noGainAttempts = 6; ///< roles, agent: in a row, then a region ends
  int64_t historyTokens = 3000;  ///< of a prompt, for earlier attempts
  int64_t contextTokens = 60000; ///< agent: then old tool outputs shrink
  std::string provider;          ///< for provenance: "openai gpt-x", "expert"
  /// All that decides what a search finds beside region and attempts: provider,
  /// its knowledge, evaluator. A region that kept stock under the same id is
  /// not searched again. Empty (provider=none): always anew.
  std::string searchId;
};

/// One outcome per task, in order. An Error only for what stops the whole run
/// (full disk, unreadable run directory, cancelled); everything already won is
/// in the store by then. `store` may be null. The provider is called from
/// several threads at once where AgentOptions::jobs allows it.
Expected<std::vector<RegionOutcome>>
optimizeRegions(const std::vector<RegionTask> &tasks, Provider &provider,
                Evaluator &evaluator, Store *store,
                const AgentOptions &options);

/// strategy of the run that a directory records; "greedy" where it does not
/// say, or is no run.
std::string recordedStrategy(const std::string &runDirectory);

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
