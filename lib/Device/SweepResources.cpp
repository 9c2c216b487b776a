//===- SweepResources.cpp - Instances that the report rules out -----------===//
#include "SweepResources.h"

#include <algorithm>

namespace kclaw {

namespace {
/// A launch in numbers; what depends on the index of a repeat is taken at 0.
struct Launch {
  int64_t threads = 1;
  int64_t sharedBytes = 0;
};
} // namespace

static Launch launchOf(const KernelStep &step, const Bindings &names) {
  Launch launch;
  for (const Expr &size : step.block)
    launch.threads *= size.evaluate(names).value_or(1);
  launch.sharedBytes = step.sharedBytes.evaluate(names).value_or(0);
  return launch;
}

static std::string whyNot(const ResourceReport &report, const Launch &launch,
                          const MultiprocessorLimits &limits) {
  std::string kernel = "kernel '" + report.kernel + "': ";
  auto text = [](auto number) { return std::to_string(number); };
  int64_t shared = report.staticSharedBytes + launch.sharedBytes;
  if (shared > int64_t(limits.sharedBytesPerBlockOptin))
    return kernel + text(shared) +
           " bytes of shared memory, a block may have " +
           text(limits.sharedBytesPerBlockOptin);
  int64_t registers = report.registers * launch.threads;
  if (registers > limits.registersPerBlock)
    return kernel + text(report.registers) + " registers x " +
           text(launch.threads) + " threads, a block may have " +
           text(limits.registersPerBlock) + " registers";
  LaunchNeeds needs;
  needs.threads = static_cast<int>(launch.threads);
  needs.registers = report.registers;
  needs.staticSharedBytes = static_cast<size_t>(report.staticSharedBytes);
  needs.dynamicSharedBytes = static_cast<size_t>(launch.sharedBytes);
  // The calculator gives zero for a device that it does not know, too.
  bool known = occupancyOf(limits, {32, 16, 0, 0}).blocks > 0;
  if (known && occupancyOf(limits, needs).blocks == 0)
    return kernel + "no block of " + text(launch.threads) +
           " threads fits on a multiprocessor";
  return "";
}

/// Indices of repeats around a leaf are names, too.
static void addIndices(const std::vector<Step> &steps, Bindings &names) {
  for (const Step &step : steps) {
    if (const auto *repeat = std::get_if<RepeatStep>(&step)) {
      names.try_emplace(repeat->name, 0);
      addIndices(repeat->steps, names);
    }
    if (const auto *when = std::get_if<WhenStep>(&step))
      addIndices(when->steps, names);
  }
}

std::string whyNotResident(const Plan &plan, const Bindings &names,
                           const std::vector<ResourceReport> &resources,
                           const MultiprocessorLimits &limits) {
  std::string why;
  for (const auto *steps : {&plan.steps, &plan.prepare}) {
    Bindings all = names;
    addIndices(*steps, all);
    forEachLeaf(*steps, "", [&](const std::string &, const Step &step) {
      const auto *kernel = std::get_if<KernelStep>(&step);
      if (!kernel || !why.empty())
        return;
      auto report =
          std::ranges::find(resources, kernel->entry, &ResourceReport::kernel);
      if (report != resources.end())
        why = whyNot(*report, launchOf(*kernel, all), limits);
    });
  }
  return why;
}

int64_t spilledBytes(const std::vector<ResourceReport> &resources) {
  int64_t bytes = 0;
  for (const ResourceReport &report : resources)
    bytes += report.spillBytes;
  return bytes;
}

} // namespace kclaw
