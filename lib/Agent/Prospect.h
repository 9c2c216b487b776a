//===- Prospect.h - What another attempt at a region is worth ---*- C++ -*-===//
//
// Private. Regions are the arms of a bandit: only the one that is worked on
// changes. So who goes on is decided by an index of each region alone, the
// microseconds that its next attempt is expected to save over what it costs
// (Gittins, "Bandit processes and dynamic allocation indices", J. R. Stat.
// Soc. B 41(2), 1979; here looking one attempt ahead). The size of a gain is
// estimated from an optimistic start and forgets by a constant step (Sutton and
// Barto, "Reinforcement Learning", 2nd ed., 2.5 and 2.6); its chance falls with
// the attempts in vain as by Laplace's rule of succession. docs/Budgets.md has
// it for people.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_PROSPECT_H
#define KERNELCLAW_LIB_AGENT_PROSPECT_H

#include "RegionOrder.h"
#include "Tree.h"

namespace kclaw {

/// Microseconds that the next attempt is expected to save in one run of the
/// module: uses x what is left to the bound x the part of it that an attempt
/// takes away / (1 + attempts since the last gain). That part is 1 before the
/// first attempt, and moves half way towards what each attempt took away (0: no
/// gain). Times are the measured ones where an attempt told them, else
/// `weight`'s.
double expectedSaving(const Tree &tree, const RegionWeight &weight);

/// In what costs are compared: dollars where prices are known, else tokens,
/// else attempts, which cost nothing but time.
enum class CostUnit { Attempts, Tokens, Dollars };
CostUnit costUnit(const Provider &provider);

struct Cost {
  double tokens = 0, dollars = 0;
};

/// Sum over the attempts that asked anything, and how many those were.
struct CostSum {
  Cost sum;
  int attempts = 0;

  void add(const Tree &tree);
  /// Of an attempt: this mean, with `all`'s mean as one attempt more.
  Cost expected(const CostSum &all) const;
};

/// A region that may go on.
struct Prospect {
  size_t region = 0; ///< as the caller counts them, the heaviest first
  double saving = 0; ///< microseconds, of the next attempt
  Cost cost;         ///< of an attempt; 0: none is known yet
  int attemptsLeft = 1;
  /// The part that it was given last did not pay for one call.
  bool needsAll = false;

  double index(CostUnit unit) const;
};

/// The best first; equal ones by region.
void sortByIndex(std::vector<Prospect> &prospects, CostUnit unit);

/// A region waits while it is worth less than this part of the best one.
constexpr double waitsBelow = 0.5;

/// One attempt of a round, and which part of the budget that is left it may
/// use; 1: all of it, alone.
struct RoundPart {
  size_t region;
  double part;
};

/// Who makes an attempt next, each beside the others, and with what. All where
/// what is left pays for all attempts that may still come; else those that are
/// not far worth less than the best, and no more than can be paid for. `left`:
/// infinity where there is no cap. Never empty.
std::vector<RoundPart> planRound(std::vector<Prospect> prospects,
                                 const Cost &left, CostUnit unit);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_PROSPECT_H
