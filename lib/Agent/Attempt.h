//===- Attempt.h - A run, and one attempt of greedy -------------*- C++ -*-===//
//
// Private. What the regions of a run share, and the attempt that is one
// question: ask, extract, check, judge.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_ATTEMPT_H
#define KERNELCLAW_LIB_AGENT_ATTEMPT_H

#include "Knowledge.h"
#include "Ledger.h"
#include "Progress.h"
#include "Prompts.h"
#include "RunDirectory.h"
#include "Tree.h"
#include "Turn.h"

namespace kclaw {

/// What all regions of a run share. Regions may be worked on by several
/// threads, of which one at a time has its turn: it runs everything but the
/// waiting for provider and evaluator, so that nothing here needs a lock of its
/// own.
struct Run {
  Provider &provider;
  Evaluator &evaluator;
  Store *store;
  const AgentOptions &options;
  Prompts prompts;
  RunDirectory directory;
  Ledger ledger;
  /// Set once a provider or evaluator turned out not to work: the regions
  /// after that keep stock without asking it again.
  std::string broken;
  size_t regions = 1; ///< different ones
  /// Of the answers that could not be read since one could: their specHash.
  std::vector<std::string> unreadable = {};
  /// Null for greedy, which needs none.
  std::shared_ptr<const Knowledge> knowledge = nullptr;
  /// Null when there is one thread. Held by the thread that has its turn.
  Turn *turn = nullptr;
  Progress *progress = nullptr; ///< while regions are searched
  /// Set once the evaluator turned out not to work: library stock is not given
  /// to it any more. That alone does not end the search.
  std::string noStock = {};
  bool warnedOfStock = false; ///< that it is our own lowering alone
};

struct AttemptResult {
  /// NotJudged: the evaluator can judge no candidate of this region.
  enum class Status { Judged, Exhausted, Parked, Budget, Broken, NotJudged };
  Status status = Status::Judged;
  AttemptRecord record; ///< Judged
  std::string reason;   ///< the others
};

/// An Error only for what stops the run. A candidate that is faster than
/// `keepAboveSpeedup` times stock, and so will be kept, gets a profile.
Expected<AttemptResult> runAttempt(Run &run, const RegionTask &task,
                                   Conversation conversation,
                                   double keepAboveSpeedup);

/// The library stock in the candidate's place, beside our own lowering; in
/// RunDirectory::libraryStock. Broken only says that it was not judged.
Expected<AttemptResult> judgeLibraryStock(Run &run, const RegionTask &task);

/// A plan that somebody else won with, judged here as attempt 0.
Expected<AttemptResult> judgeAgain(Run &run, const RegionTask &task,
                                   const Plan &plan);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_ATTEMPT_H
