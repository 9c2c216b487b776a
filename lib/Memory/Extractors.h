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

void addGraphFeatures(const KernelSpec &spec, FeatureMap &features);
void addPlanFeatures(const KernelSpec &spec, const Plan &plan,
                     const Evaluation *evaluation, FeatureMap &features);
/// `kernel`: the entry whose code is looked at.
void addPtxFeatures(const std::string &ptx, const std::string &kernel,
                    FeatureMap &features);
/// Resources, launch and counters of the hottest kernel.
void addProfileFeatures(const Evaluation &evaluation,
                        const std::string &hottest, FeatureMap &features);
/// After the others: reads their features.
void addTimeFeatures(const Evaluation &evaluation, const Facts *hardware,
                     FeatureMap &features);
void addHardwareFeatures(const Facts &facts, FeatureMap &features);

/// The kernel that takes most of the plan's time: by the profile, or the only
/// one that there is; empty when that is not known.
std::string hottestKernel(const Plan *plan, const Evaluation *evaluation);

/// Sizes by their names, tunables as chosen; dynamic dimensions by their
/// largest sample.
Bindings bindingsOf(const KernelSpec &spec, const Plan &plan,
                    const Evaluation *evaluation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_EXTRACTORS_H
