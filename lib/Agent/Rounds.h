//===- Rounds.h - Who makes an attempt next, on record ----------*- C++ -*-===//
//
// Private. While tokens or dollars are capped, regions are searched in rounds:
// each chosen region makes one attempt, with a share of what is left that is
// its own, so that the end is the same however many were asked at once. What a
// round was given hangs on what was spent before it, which a resumed run cannot
// tell any more; so a round is an event (`round_started`) before it begins, and
// a resumed run repeats those on record first.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_ROUNDS_H
#define KERNELCLAW_LIB_AGENT_ROUNDS_H

#include "Attempt.h"
#include "Prospect.h"

#include <deque>

namespace kclaw {

/// A region in a round. `used`: what it had used before; `share`: what it may
/// have used after, nullopt: all that there is.
struct RoundRow {
  std::string specHash;
  double usedTokens = 0, usedDollars = 0;
  std::optional<Ledger::Share> share;
  double saving = 0; ///< Prospect::saving, for people
};

class Rounds {
public:
  /// Takes the rounds on record from the run's log.
  explicit Rounds(Run &run);

  /// Caps to share out there are.
  static bool isNeeded(const Budget &budget) {
    return budget.maxTokens > 0 || budget.maxDollars > 0;
  }

  /// The next one; its shares hold from now on. `prospects` are those that may
  /// go on (at least one); `hashes` names regions by Prospect::region.
  Expected<std::vector<RoundRow>> begin(const std::vector<Prospect> &prospects,
                                        const std::vector<std::string> &hashes,
                                        CostUnit unit);

  /// Whether the region has used something since its last round began.
  bool madeProgress(const std::string &specHash) const;

private:
  Expected<std::vector<RoundRow>> plan(const std::vector<Prospect> &prospects,
                                       const std::vector<std::string> &hashes,
                                       CostUnit unit);

  Run &run;
  std::deque<std::vector<RoundRow>> recorded;
  int number = 0;
  std::map<std::string, RoundRow> last; ///< of each region
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_ROUNDS_H
