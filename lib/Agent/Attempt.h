//===- Attempt.h - Ask, extract, check, evaluate ----------------*- C++ -*-===//
//
// Private. One attempt at one region. Every step first looks whether its
// result is recorded, so a resumed run goes through the same code.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_ATTEMPT_H
#define KERNELCLAW_LIB_AGENT_ATTEMPT_H

#include "Conversation.h"
#include "Ledger.h"
#include "RunDirectory.h"
#include "Turn.h"

namespace kclaw {

/// What all regions of a run share. Regions may be worked on by several
/// threads, of which one at a time has its turn: it runs everything but the
/// evaluator's waiting, so that nothing here needs a lock of its own.
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
  /// Null when there is one thread. Held by the thread that has its turn.
  Turn *turn = nullptr;
};

struct AttemptResult {
  enum class Status { Judged, Exhausted, Parked, Budget, Broken };
  Status status = Status::Judged;
  AttemptRecord record; ///< Judged
  std::string reason;   ///< the others
};

/// An Error only for what stops the run. A candidate that is faster than
/// `keepAboveSpeedup` times stock, and so will be kept, gets a profile.
Expected<AttemptResult> runAttempt(Run &run, const RegionTask &task,
                                   Conversation conversation,
                                   double keepAboveSpeedup);

/// A plan that somebody else won with, judged here as attempt 0.
Expected<AttemptResult> judgeAgain(Run &run, const RegionTask &task,
                                   const Plan &plan);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_ATTEMPT_H
