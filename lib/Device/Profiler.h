//===- Profiler.h - Why the candidate is as fast as it is -------*- C++ -*-===//
//
// Runs after all timing, on the loaded candidate with the data drawn last.
// Everything that can be seen, in three levels: hardware counters, else kernel
// times, else what the code itself says; the reason is told. CUPTI is opened at
// the first profile of a process and watches nothing outside of one.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PROFILER_H
#define KERNELCLAW_LIB_DEVICE_PROFILER_H

#include "Workload.h"
#include "kernelclaw/Cuda/Cupti.h"

namespace kclaw {

/// Runs of the plan that kernel times are taken from.
constexpr size_t activityRuns = 12;

/// Where the upper two levels come from; the tests put others in.
struct ProfileSources {
  /// All kernels of `activityRuns` runs, each run with the flush kernel first.
  std::function<Expected<std::vector<KernelRecord>>()> activity;
  /// Metrics in the order of `countedMetrics`, of at most so many kernels.
  std::function<Expected<RangeCounts>(size_t maxKernels)> counters;
};

/// The metrics of Support/Counters.h that are counted, in its order.
std::vector<std::string> countedMetrics();

/// Adds what the sources give to a static profile: level, reason, times,
/// counters, seconds.
void observe(Profile &profile, const ProfileSources &sources);

/// `time` is the candidate's. A failure is one of the candidate's runs: it
/// faulted or hung.
Run<Profile> profileCandidate(Workload &load,
                              const std::vector<ModuleImage> &images,
                              const Timing &time);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PROFILER_H
