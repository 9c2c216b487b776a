//===- Candidates.h - Skeletons instantiated for one region -----*- C++ -*-===//
//
// Every skeleton and choice of tunables that serves a region, best first, and
// the plan of each.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_CANDIDATES_H
#define KERNELCLAW_LIB_EXPERT_CANDIDATES_H

#include "Factor.h"
#include "Skeleton.h"
#include "kernelclaw/Plan/Plan.h"

namespace kclaw::expert {

struct Candidate {
  const Skeleton *skeleton = nullptr; ///< in the memory bank
  Bindings names;                     ///< facts, tunables, derived numbers
  int64_t score = 0;
  /// Values of tunables that the evaluator may choose from, by name; the others
  /// are as in `names`. Empty: all are.
  std::map<std::string, std::vector<int64_t>> swept = {};
};

/// A region as the skeletons see it.
struct Region {
  const KernelSpec *spec = nullptr;
  Program program;
  Schedule schedule;
  std::vector<Factor> factors; ///< of a contraction, two; else none
};

/// The error says why no skeleton can express the region.
Expected<Region> analyse(const KernelSpec &spec, const MemoryBank &bank);

/// Best first; empty when no skeleton's conditions hold.
Expected<std::vector<Candidate>> rankCandidates(const Region &region,
                                                const MemoryBank &bank);

/// One candidate for all that differ in tunables alone: the best of them, with
/// the others' values to be swept. A number that the source holds and that
/// tunables decide (splits) keeps them apart.
std::vector<Candidate> sweepTogether(const std::vector<Candidate> &candidates);

Expected<Plan> instantiate(const Region &region, const Candidate &candidate,
                           const MemoryBank &bank);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_CANDIDATES_H
