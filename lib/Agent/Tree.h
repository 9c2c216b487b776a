//===- Tree.h - What was tried at one region --------------------*- C++ -*-===//
//
// Private. Short-term memory: each attempt with its parent, what was decided
// and predicted before it was judged, the verdict, and what changed. Recorded
// as attempt-<k>/attempt.json (docs/schema/attempt.schema.json). A resumed run
// builds the same tree through the same code.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_TREE_H
#define KERNELCLAW_LIB_AGENT_TREE_H

#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Provider/Provider.h"

#include <deque>
#include <optional>

namespace kclaw {

enum class Phase { Seed, Optimise, Repair };
const char *name(Phase phase);

/// What a strategy decided before an attempt was judged.
struct Decision {
  Phase phase = Phase::Seed;
  int parent = 0;              ///< number of another attempt; 0: none
  std::string method = "seed"; ///< a card of the memory bank, or "seed"
  std::string approach;        ///< of a seed: how it differs from the others
  // The gate's, of the parent.
  std::string caseName, headroom;
  std::map<std::string, double> context; ///< features
  // The planner's.
  std::string bottleneck, plan;
  std::vector<std::string> evidence;
  std::map<std::string, int> predicted; ///< counter or "time" -> +1, -1, 0
  // The diagnoser's.
  std::string rootCause, fix;
  std::vector<std::string> quotes; ///< of the evidence, verbatim
};

struct AttemptRecord {
  int number = 0;
  std::optional<Plan> plan; ///< none when the reply held no usable one
  Evaluation evaluation;
  Decision decision = {};
  std::string diff; ///< unified, to the parent's files; bounded
  /// Counter or "time" -> this one's over the parent's, where both are known.
  std::map<std::string, double> measured = {};
  /// Parent's time over this one's, each as a ratio to the stock beside it; a
  /// seed's parent is stock. 0: not measured.
  double gain = 0;
  bool promoted = false; ///< it was the best when it came
  Usage usage = {};      ///< of the calls that made it

  bool right() const { return evaluation.outcome == Outcome::Ok; }
};

std::string toJson(const AttemptRecord &record);

/// Counters of the kernel that takes most time, and "time" where known.
std::map<std::string, double> countersOf(const Evaluation &evaluation);

/// How many times the bound its time is: 1 at the roof. The bound is the
/// profile's roofline, which pins set and no kernel quite reaches, or what
/// reading and writing the bytes that must move takes; 0: not known.
double headroomOf(const Evaluation &evaluation);

/// After over before for each counter that both have; empty where they cannot
/// be compared.
std::map<std::string, double> measuredChanges(const Evaluation &after,
                                              const Evaluation &before);

/// Whether `a` is better than `b`: stronger evidence, else faster by more than
/// the noise of both times. `a` may have been timed beside `b` (incumbent).
bool isBetter(const Evaluation &a, const Evaluation &b);

class Tree {
public:
  /// Fills in diff, measured and gain from the parent.
  const AttemptRecord &add(AttemptRecord record);
  void promote(int number);

  const std::deque<AttemptRecord> &records() const { return all; }
  const AttemptRecord *find(int number) const;
  /// `number`, or the right kernel that the chain of repairs it belongs to
  /// began from; null: none.
  const AttemptRecord *base(int number) const;
  /// The winner so far; null: none.
  const AttemptRecord *best() const { return find(bestNumber); }
  const AttemptRecord *last() const {
    return all.empty() ? nullptr : &all.back();
  }

  /// Right ones with a plan, the fastest first; at most `width`.
  std::vector<const AttemptRecord *> beam(int width) const;
  /// The repairs that led to a failed attempt, from the first failure on.
  std::vector<const AttemptRecord *> chain(const AttemptRecord &failed) const;
  /// The latest repair that starts from `record`; null: none.
  const AttemptRecord *repairOf(const AttemptRecord &record) const;
  /// The end of the repairs of the latest attempt that applied `method` to
  /// `parent`; null: none did.
  const AttemptRecord *lastOf(const std::string &method, int parent) const;
  /// Methods that were applied to `parent` and did not make it faster.
  std::vector<std::string> fruitlessMethods(int parent) const;
  /// Attempts since the last promotion.
  int sinceGain() const;
  int count(Phase phase) const;
  Usage usage() const;

private:
  std::deque<AttemptRecord> all;
  int bestNumber = -1;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_TREE_H
