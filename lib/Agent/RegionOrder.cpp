//===- RegionOrder.cpp - Where a module's budget is spent -----------------===//
#include "RegionOrder.h"

#include <algorithm>
#include <set>

namespace kclaw {
namespace {

constexpr double microseconds = 1e6;

/// -1 (a dynamic size) counts as the largest sample of the region's dimensions.
double bytesOf(const GraphValue &value, double dynamicSize) {
  double bytes = double(info(value.dtype).sizeBytes);
  for (int64_t size : value.shape)
    bytes *= size < 0 ? dynamicSize : double(size);
  return bytes;
}

double largestDynamicSize(const KernelSpec &spec) {
  int64_t largest = 1;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        if (!dim.isStatic())
          for (int64_t sample : dim.samples)
            largest = std::max(largest, sample);
  return double(largest);
}

double intermediateBytes(const KernelSpec &spec) {
  const OpGraph &graph = spec.graph;
  std::set<int> outside(graph.arguments.begin(), graph.arguments.end());
  outside.insert(graph.results.begin(), graph.results.end());
  double dynamicSize = largestDynamicSize(spec), bytes = 0;
  for (const GraphOp &op : graph.ops)
    for (int result : op.results)
      if (!outside.contains(result))
        bytes += bytesOf(graph.values[result], dynamicSize);
  return bytes;
}

} // namespace

/// Products of halves that a float32 product takes on tensor cores at float32's
/// accuracy: high x high, high x low, low x high (Ootomo and Yokota, IJHPCA
/// 36(4), 2022).
constexpr double splitProducts = 3;

double peakFlops(const KernelSpec &spec, const RooflineRates &rates) {
  auto has = [&](DType dtype) {
    return std::ranges::count(spec.arguments, dtype, &TensorSpec::dtype) > 0;
  };
  if (!has(DType::f32) && !has(DType::f64))
    return rates.halfFlopsPerSecond;
  bool mayRound =
      spec.policy == Policy::Tf32 || spec.policy == Policy::Loose ||
      (spec.policy == Policy::Torch && spec.family == "convolution");
  if (mayRound)
    return rates.tf32FlopsPerSecond;
  bool splits = spec.family == "contraction" && spec.policy == Policy::Torch &&
                !has(DType::f64);
  return std::max(rates.flopsPerSecond,
                  splits ? rates.halfFlopsPerSecond / splitProducts : 0);
}

int launches(const Plan &plan) {
  int count = 0;
  forEachLeaf(plan.steps, "steps",
              [&](const std::string &, const Step &) { ++count; });
  return std::max(1, count);
}

double boundMicroseconds(const KernelSpec &spec, const RooflineRates &rates) {
  return microseconds * std::max(spec.bytes / rates.bytesPerSecond,
                                 spec.flops / peakFlops(spec, rates));
}

double modelStock(const RegionTask &task, const RooflineRates &rates) {
  double kernels = launches(task.stock);
  double ops = double(task.spec.graph.ops.size());
  double handedOn = ops > 1 ? std::min(1.0, (kernels - 1) / (ops - 1)) : 0;
  double bytes = task.spec.bytes + 2 * handedOn * intermediateBytes(task.spec);
  double seconds = std::max(bytes / rates.bytesPerSecond,
                            task.spec.flops / peakFlops(task.spec, rates)) +
                   kernels * rates.launchSeconds;
  return microseconds * seconds;
}

std::vector<RegionWeight> orderRegions(const std::vector<RegionTask> &tasks,
                                       const RooflineRates &rates,
                                       const StockTimes &measured) {
  std::vector<RegionWeight> regions;
  std::map<std::string, size_t> seen;
  double total = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const std::string &hash = tasks[i].spec.specHash;
    auto [it, isNew] = seen.try_emplace(hash, regions.size());
    if (isNew) {
      auto time = measured.find(hash);
      RegionWeight region;
      region.task = i;
      region.uses = 0;
      region.measured = time != measured.end() && time->second > 0;
      region.stockMicroseconds =
          region.measured ? time->second : modelStock(tasks[i], rates);
      region.boundMicroseconds = boundMicroseconds(tasks[i].spec, rates);
      if (region.boundMicroseconds > 0)
        region.headroom =
            std::max(1.0, region.stockMicroseconds / region.boundMicroseconds);
      regions.push_back(region);
    }
    ++regions[it->second].uses;
    total += regions[it->second].stockMicroseconds;
  }
  double weights = 0;
  for (RegionWeight &region : regions) {
    if (total > 0)
      region.timeShare = region.uses * region.stockMicroseconds / total;
    region.weight = region.timeShare * region.headroom;
    weights += region.weight;
  }
  for (RegionWeight &region : regions)
    region.weight =
        weights > 0 ? region.weight / weights : 1.0 / double(regions.size());
  std::ranges::stable_sort(regions, std::greater(), &RegionWeight::weight);
  return regions;
}

} // namespace kclaw
