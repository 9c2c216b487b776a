//===- Extractors.h - Features, by where they come from ---------*- C++ -*-===//
//
// Each adds the features of one source to the map; what it cannot know it
// leaves out. Names are those of featureTable().
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_MEMORY_EXTRACTORS_H
#define KERNELCLAW_LIB_MEMORY_EXTRACTORS_H

#include "kernelclaw/Memory/Features.h"

namespace kclaw {

using FeatureMap = std::map<std::string, double>;

/// 0 where it is not known.
inline double numberOf(const std::map<std::string, double> &numbers,
                       const char *name) {
  auto found = numbers.find(name);
  return found == numbers.end() ? 0 : found->second;
}

void addGraphFeatures(const KernelSpec &spec, FeatureMap &features);
void addPlanFeatures(const KernelSpec &spec, const Plan &plan,
                     const Evaluation *evaluation, FeatureMap &features);
/// `kernel`: the entry whose code is looked at.
void addPtxFeatures(const std::string &ptx, const std::string &kernel,
                    FeatureMap &features);
/// The compiler's report on the hottest kernel, which is compiled for the
/// region's own sizes wherever it was judged; `dynamicBytes` of shared memory
/// come from the plan.
void addResourceFeatures(const Evaluation &evaluation,
                         const std::string &hottest, double dynamicBytes,
                         FeatureMap &features);
/// Launch and counters of the hottest kernel.
void addProfileFeatures(const Evaluation &evaluation,
                        const std::string &hottest, FeatureMap &features);
/// How many blocks fit, from registers, threads and shared memory, where no
/// profile says it; and the waves of the grid.
void addOccupancyFeatures(const Facts *hardware, FeatureMap &features);
/// What limits the region, and what is left to that limit, from an evaluation
/// at smaller sizes than the region's.
void addReducedTimeFeatures(const Evaluation &evaluation, const Facts *hardware,
                            FeatureMap &features);
/// After the others: reads their features.
void addTimeFeatures(const Evaluation &evaluation, const Facts *hardware,
                     FeatureMap &features);
void addHardwareFeatures(const Facts &facts, FeatureMap &features);

/// The kernel that takes most of the plan's time: by the profile, or the only
/// one that there is; empty when that is not known.
std::string hottestKernel(const Plan *plan, const Evaluation *evaluation);

/// Of the first step that launches `kernel`; 0 where there is none.
double dynamicSharedBytes(const KernelSpec &spec, const Plan *plan,
                          const Evaluation *evaluation,
                          const std::string &kernel);

/// Sizes by their names, tunables as chosen; dynamic dimensions by their
/// largest sample.
Bindings bindingsOf(const KernelSpec &spec, const Plan &plan,
                    const Evaluation *evaluation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_EXTRACTORS_H
