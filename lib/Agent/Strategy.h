//===- Strategy.h - What is tried next at a region --------------*- C++ -*-===//
//
// Private. greedy: one question an attempt, the best or the last failure in
// it. roles: Generator, Planner, Optimizer, Diagnoser and Repairer, a beam of
// attempts. agent: one conversation with tools. All are deterministic given
// seed, recorded replies and evaluations.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_STRATEGY_H
#define KERNELCLAW_LIB_AGENT_STRATEGY_H

#include "Judge.h"
#include "Tree.h"

namespace kclaw {

class Strategy {
public:
  virtual ~Strategy() = default;
  /// Attempt number `attempt`, from 1. Judged: a record for the tree, its
  /// decision filled in. Exhausted: nothing more is worth trying, and why.
  virtual Expected<AttemptResult> next(int attempt) = 0;
  /// Why next() need not be asked any more; empty: it may be.
  virtual std::string whyOver() const { return ""; }
};

/// By options.strategy. `tree` is kept up to date by the caller.
std::unique_ptr<Strategy> createStrategy(Run &run, const RegionTask &task,
                                         const Tree &tree);

std::unique_ptr<Strategy> createGreedy(Run &run, const RegionTask &task,
                                       const Tree &tree);
std::unique_ptr<Strategy> createRoles(Run &run, const RegionTask &task,
                                      const Tree &tree);
std::unique_ptr<Strategy> createAgent(Run &run, const RegionTask &task,
                                      const Tree &tree);

/// What is faster than the best so far, or wins over stock, will be kept; near
/// misses get a profile, too, to compare what was predicted with.
Judging judgingOf(const Run &run, const Tree &tree);

/// Why a region deserves no more tokens: stock or the best at the roofline, or
/// no gain in options.noGainAttempts; empty: it does.
std::string reasonToStop(const Run &run, const Tree &tree);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_STRATEGY_H
