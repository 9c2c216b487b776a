//===- SimulatedCounters.cpp - A profile's counters, simulated ------------===//
#include "SimulatedCounters.h"
#include "kernelclaw/Support/Counters.h"

#include <sstream>

namespace kclaw {

constexpr const char *timeMetric = "gpu__time_duration.sum"; // nanoseconds

/// The hardware's metric of each counter of the simulator; empty: it has none.
static std::vector<std::string> metricsOf(const SimulatorApi &simulator) {
  std::vector<std::string> metrics;
  for (size_t i = 0; const char *line = simulator.counter(i); ++i) {
    std::stringstream fields(line); // name, unit, meaning, metric
    std::string field;
    for (int column = 0; column < 4; ++column)
      if (!std::getline(fields, field, '\t'))
        field.clear();
    metrics.push_back(field);
  }
  return metrics;
}

static void fill(KernelProfile &kernel, const std::vector<std::string> &metrics,
                 const std::vector<double> &values) {
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i] == timeMetric)
      kernel.samplesMicroseconds = {values[i] / 1e3};
    for (const CounterRow &row : counterTable)
      if (!row.metric.empty() && row.metric == metrics[i])
        kernel.counters[std::string(row.name)] = values[i];
  }
  if (!kernel.samplesMicroseconds.empty())
    kernel.medianMicroseconds = kernel.samplesMicroseconds.front();
}

Run<void> addSimulatedCounters(const SimulatorApi &simulator, Profile &profile,
                               const std::function<Run<void>()> &run) {
  profile.level = ProfileLevel::Static;
  simulator.flushCaches();
  uint64_t before = simulator.launches();
  KCLAW_TRY(run());
  uint64_t launched = simulator.launches() - before;
  if (launched != profile.kernels.size()) {
    profile.reason = "failed: the simulator launched " +
                     std::to_string(launched) + " kernels, the plan has " +
                     std::to_string(profile.kernels.size());
    return {};
  }
  std::vector<std::string> metrics = metricsOf(simulator);
  std::vector<double> values(metrics.size());
  for (size_t i = 0; i < profile.kernels.size(); ++i) {
    if (simulator.counts(before + i + 1, values.data(), values.size()) == 0) {
      profile.reason = "failed: the simulator keeps fewer launches than the "
                       "plan has";
      return {};
    }
    fill(profile.kernels[i], metrics, values);
    profile.kernelSpanMicroseconds += profile.kernels[i].medianMicroseconds;
  }
  profile.level = ProfileLevel::Counters;
  profile.source = "counts and estimates of the simulator";
  profile.passes = 1;
  for (const CounterRow &row : counterTable)
    if (!row.metric.empty() && !profile.kernels.empty() &&
        !profile.kernels[0].counters.contains(std::string(row.name)))
      profile.missingCounters.emplace_back(row.name);
  return {};
}

} // namespace kclaw
