//===- Candidates.h - Skeletons instantiated for one region -----*- C++ -*-===//
//
// Every skeleton and choice of tunables that serves a region, best first, and
// the plan of each.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_CANDIDATES_H
#define KERNELCLAW_LIB_EXPERT_CANDIDATES_H

#include "Skeleton.h"
#include "kernelclaw/Plan/Plan.h"

namespace kclaw::expert {

struct Candidate {
  const Skeleton *skeleton = nullptr; ///< in the memory bank
  Bindings names;                     ///< facts, tunables, derived numbers
  int64_t score = 0;
};

/// A region as the skeletons see it.
struct Region {
  const KernelSpec *spec = nullptr;
  Program program;
  Schedule schedule;
};

/// The error says why no skeleton can express the region.
Expected<Region> analyse(const KernelSpec &spec, const MemoryBank &bank);

/// Best first; empty when no skeleton's conditions hold.
Expected<std::vector<Candidate>> rankCandidates(const Region &region,
                                                const MemoryBank &bank);

Expected<Plan> instantiate(const Region &region, const Candidate &candidate,
                           const MemoryBank &bank);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_CANDIDATES_H
