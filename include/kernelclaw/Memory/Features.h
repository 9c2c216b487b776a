//===- Features.h - What a program sees in a kernel -------------*- C++ -*-===//
//
// The Feature Extractor. Numbers and booleans (0, 1) about a region and one of
// its plans, from the op graph, the source, the PTX, the compiler's report and
// the counters; nothing is guessed, and what cannot be known is absent. The
// names, units and meanings are one table (featureTable), which the memory
// bank's conditions are checked against;
// the counters of Support/Counters.h are features too, under their names.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_MEMORY_FEATURES_H
#define KERNELCLAW_MEMORY_FEATURES_H

#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Spec/KernelSpec.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kclaw {

/// Where a feature comes from, so that a missing one can be explained.
enum class FeatureSource { Graph, Plan, Ptx, Resources, Time, Hardware };

struct FeatureRow {
  std::string_view name, unit, meaning;
  FeatureSource source;
  /// Values that a witness search tries; min == max: boolean.
  double low, high;
};
std::span<const FeatureRow> featureTable();

/// Facts of a target: memorybank/hardware/NAME.json by its arch.
using Facts = std::map<std::string, double>;

struct FeatureInput {
  const KernelSpec &spec;
  const Plan *plan = nullptr;             ///< none: the region alone
  const Evaluation *evaluation = nullptr; ///< none: not judged yet
  const Facts *hardware = nullptr;
};

/// Counters and resources are those of the kernel of the plan that takes most
/// time ("hottest"); shares and sums over all kernels have names of their own.
std::map<std::string, double> extractFeatures(const FeatureInput &input);

} // namespace kclaw

#endif // KERNELCLAW_MEMORY_FEATURES_H
