//===- PlanFeatures.cpp - What the launch recipe says ---------------------===//
#include "Extractors.h"

#include <algorithm>

namespace kclaw {

Bindings bindingsOf(const KernelSpec &spec, const Plan &plan,
                    const Evaluation *evaluation) {
  Bindings bindings;
  for (const auto *list : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *list)
      for (const Dim &dim : tensor.dims)
        bindings[dim.name] = dim.isStatic() ? dim.value
                             : dim.samples.empty()
                                 ? dim.max
                                 : std::ranges::max(dim.samples);
  for (const Tunable &tunable : plan.tunables)
    bindings[tunable.name] = tunable.chosen           ? tunable.chosen
                             : tunable.values.empty() ? 0
                                                      : tunable.values.front();
  if (evaluation)
    for (const auto &[name, value] : evaluation->chosenTunables)
      bindings[name] = value;
  return bindings;
}

namespace {
struct Counts {
  double kernels = 0, libraryCalls = 0, launches = 0, cluster = 1;
  bool repeats = false;
  bool launchesKnown = true;
};

double product(const std::array<Expr, 3> &sizes, const Bindings &bindings) {
  double all = 1;
  for (const Expr &size : sizes) {
    auto value = size.evaluate(bindings);
    if (!value)
      return 0;
    all *= double(*value);
  }
  return all;
}

void count(const std::vector<Step> &steps, Bindings bindings, double times,
           Counts &counts) {
  for (const Step &step : steps) {
    if (const auto *repeat = std::get_if<RepeatStep>(&step)) {
      counts.repeats = true;
      auto rounds = repeat->count.evaluate(bindings);
      counts.launchesKnown &= rounds.has_value();
      bindings[repeat->name] = 0;
      count(repeat->steps, bindings, times * (rounds ? double(*rounds) : 1),
            counts);
      continue;
    }
    if (const auto *when = std::get_if<WhenStep>(&step)) {
      count(when->steps, bindings, times, counts);
      continue;
    }
    counts.launches += times;
    counts.libraryCalls += std::holds_alternative<MatmulStep>(step) ||
                           std::holds_alternative<ConvolutionStep>(step);
    const auto *kernel = std::get_if<KernelStep>(&step);
    if (!kernel)
      continue;
    ++counts.kernels;
    counts.cluster =
        std::max(counts.cluster, product(kernel->cluster, bindings));
  }
}

const KernelStep *findKernel(const std::vector<Step> &steps,
                             const std::string &entry) {
  const KernelStep *found = nullptr;
  forEachLeaf(steps, "steps", [&](const std::string &, const Step &step) {
    const auto *kernel = std::get_if<KernelStep>(&step);
    if (kernel && !found && kernel->entry == entry)
      found = kernel;
  });
  return found;
}
} // namespace

/// Grid and block of the hottest kernel; a profile may say it again.
static void addLaunch(const KernelStep &kernel, const Bindings &bindings,
                      FeatureMap &features) {
  if (double threads = product(kernel.block, bindings); threads > 0)
    features["blockThreads"] = threads;
  if (double blocks = product(kernel.grid, bindings); blocks > 0)
    features["gridBlocks"] = blocks;
}

void addPlanFeatures(const KernelSpec &spec, const Plan &plan,
                     const Evaluation *evaluation, FeatureMap &features) {
  Bindings bindings = bindingsOf(spec, plan, evaluation);
  Counts counts;
  count(plan.steps, bindings, 1, counts);
  features["kernels"] = counts.kernels;
  features["libraryCalls"] = counts.libraryCalls;
  features["repeats"] = counts.repeats;
  features["cluster"] = counts.cluster;
  if (counts.launchesKnown)
    features["launches"] = counts.launches;
  features["hasPrepare"] = !plan.prepare.empty();
  features["tunables"] = double(plan.tunables.size());
  features["tensorMaps"] = double(plan.tensorMaps.size());
  double workspace = 0;
  bool known = true;
  for (const PlanBuffer &buffer : plan.buffers) {
    if (buffer.kind != PlanBuffer::Kind::Workspace)
      continue;
    auto bytes = buffer.sizeBytes.evaluate(bindings);
    known &= bytes.has_value();
    workspace += bytes ? double(*bytes) : 0;
  }
  if (known)
    features["workspaceBytes"] = workspace;
  std::string hottest = hottestKernel(&plan, evaluation);
  if (const KernelStep *kernel = findKernel(plan.steps, hottest))
    addLaunch(*kernel, bindings, features);
}

double dynamicSharedBytes(const KernelSpec &spec, const Plan *plan,
                          const Evaluation *evaluation,
                          const std::string &kernel) {
  const KernelStep *step = plan ? findKernel(plan->steps, kernel) : nullptr;
  if (!step)
    return 0;
  auto bytes = step->sharedBytes.evaluate(bindingsOf(spec, *plan, evaluation));
  return bytes ? double(*bytes) : 0;
}

std::string hottestKernel(const Plan *plan, const Evaluation *evaluation) {
  std::map<std::string, double> times;
  if (evaluation)
    for (const KernelProfile &kernel : evaluation->profile.kernels)
      times[kernel.kernel] += kernel.medianMicroseconds;
  if (times.empty() && plan)
    forEachLeaf(plan->steps, "steps", [&](const std::string &, const Step &s) {
      if (const auto *kernel = std::get_if<KernelStep>(&s))
        times[kernel->entry] += 0;
    });
  auto hottest = std::ranges::max_element(
      times, {}, [](const auto &entry) { return entry.second; });
  bool known =
      hottest != times.end() && (times.size() == 1 || hottest->second > 0);
  return known ? hottest->first : "";
}

} // namespace kclaw
