//===- ProfileFeatures.cpp - Resources, counters, times, facts ------------===//
#include "Extractors.h"

#include "kernelclaw/Support/Counters.h"

#include <algorithm>

namespace kclaw {

/// What a launch costs where nothing overlaps it (docs/Measuring.md).
constexpr double launchMicroseconds = 2.5;

static double product(const std::array<int64_t, 3> &sizes) {
  return double(sizes[0]) * double(sizes[1]) * double(sizes[2]);
}

static void addKernel(const KernelProfile &kernel, FeatureMap &features) {
  if (kernel.registers > 0)
    features["registers"] = kernel.registers;
  features["sharedBytes"] =
      double(kernel.staticSharedBytes + kernel.dynamicSharedBytes);
  if (product(kernel.block) > 0)
    features["blockThreads"] = product(kernel.block);
  if (product(kernel.grid) > 0)
    features["gridBlocks"] = product(kernel.grid);
  if (kernel.blocksPerMultiprocessor > 0) {
    features["blocksPerMultiprocessor"] = kernel.blocksPerMultiprocessor;
    const std::string &limit = kernel.occupancyLimit;
    features["limitedByRegisters"] = limit.find("registers") != limit.npos;
    features["limitedByShared"] = limit.find("shared") != limit.npos;
  }
  for (const CounterRow &row : counterTable)
    if (auto found = kernel.counters.find(std::string(row.name));
        found != kernel.counters.end())
      features[found->first] = found->second;
}

void addProfileFeatures(const Evaluation &evaluation,
                        const std::string &hottest, FeatureMap &features) {
  for (const ResourceReport &report : evaluation.resources) {
    if (report.kernel != hottest)
      continue;
    features["registers"] = report.registers;
    features["spillBytes"] = report.spillBytes;
    features["sharedBytes"] = report.staticSharedBytes;
  }
  // Of several launches of it, the longest.
  const KernelProfile *longest = nullptr;
  double own = 0, all = 0;
  for (const KernelProfile &kernel : evaluation.profile.kernels) {
    all += kernel.medianMicroseconds;
    if (kernel.kernel != hottest)
      continue;
    own += kernel.medianMicroseconds;
    if (!longest || kernel.medianMicroseconds > longest->medianMicroseconds)
      longest = &kernel;
  }
  if (longest)
    addKernel(*longest, features);
  if (all > 0)
    features["hottestShare"] = own / all;
}

/// The peaks of `facts` that the region may use; absent facts give nothing.
static std::optional<double> boundMicroseconds(const Facts &facts,
                                               const FeatureMap &features) {
  auto fact = [&](const char *name) {
    auto found = facts.find(name);
    return found == facts.end() ? 0 : found->second;
  };
  auto feature = [&](const char *name) {
    auto found = features.find(name);
    return found == features.end() ? 0 : found->second;
  };
  bool tensor = feature("tensorCoresAllowed") != 0;
  double peak = !tensor                       ? fact("fp32_tflops")
                : feature("narrowFloat") != 0 ? fact("f16_tensor_tflops")
                                              : fact("tf32_tensor_tflops");
  double bytes = feature("minimalBytes"), rate = fact("peak_gbps");
  if (bytes <= 0 || rate <= 0 || peak <= 0)
    return std::nullopt;
  double memory = bytes / (rate * 1e3);
  double compute = feature("intensity") * bytes / (peak * 1e6);
  return std::max(memory, compute);
}

void addTimeFeatures(const Evaluation &evaluation, const Facts *hardware,
                     FeatureMap &features) {
  double time = evaluation.time.medianMicroseconds;
  if (evaluation.speedup > 0)
    features["speedup"] = evaluation.speedup;
  const Roofline &roofline = evaluation.profile.roofline;
  if (!roofline.boundBy.empty())
    features["memoryBound"] = roofline.boundBy == "memory";
  if (roofline.movedBytes > 0 && roofline.minimalBytes > 0)
    features["movedRatio"] = roofline.movedBytes / roofline.minimalBytes;
  if (time <= 0)
    return;
  features["microseconds"] = time;
  if (roofline.headroom > 0)
    features["headroom"] = roofline.headroom;
  else if (auto bound =
               hardware ? boundMicroseconds(*hardware, features) : std::nullopt)
    features["headroom"] = time / *bound;
  if (evaluation.copyTime.medianMicroseconds > 0)
    features["copyRatio"] = time / evaluation.copyTime.medianMicroseconds;
  if (auto launches = features.find("launches"); launches != features.end())
    features["launchShare"] =
        std::min(1.0, launches->second * launchMicroseconds / time);
}

void addHardwareFeatures(const Facts &facts, FeatureMap &features) {
  struct Row {
    const char *feature, *fact;
  };
  constexpr Row rows[] = {{"sms", "sms"},
                          {"l2Bytes", "l2_bytes"},
                          {"maxSharedBytes", "shared_bytes"},
                          {"hasTma", "tma"},
                          {"hasWgmma", "wgmma"},
                          {"hasClusters", "clusters"},
                          {"hasAsyncCopy", "async_copy"},
                          {"hasTf32", "tf32"}};
  for (const Row &row : rows)
    if (auto found = facts.find(row.fact); found != facts.end())
      features[row.feature] = found->second;
}

} // namespace kclaw
