//===- ProfileFeatures.cpp - Resources, counters, occupancy, facts --------===//
#include "Extractors.h"

#include "kernelclaw/Support/Counters.h"

#include <algorithm>
#include <cmath>

namespace kclaw {

static double product(const std::array<int64_t, 3> &sizes) {
  return double(sizes[0]) * double(sizes[1]) * double(sizes[2]);
}

static void addKernel(const KernelProfile &kernel, FeatureMap &features) {
  // The compiler's report, made before, is no estimate; a simulator's is one.
  bool isEstimate = features.contains("registers") &&
                    features["registers"] != kernel.registers;
  if (kernel.registers > 0 && !isEstimate)
    features["registers"] = kernel.registers;
  features["sharedBytes"] =
      double(kernel.staticSharedBytes + kernel.dynamicSharedBytes);
  if (product(kernel.block) > 0)
    features["blockThreads"] = product(kernel.block);
  if (product(kernel.grid) > 0)
    features["gridBlocks"] = product(kernel.grid);
  if (kernel.blocksPerMultiprocessor > 0 && !isEstimate) {
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

void addResourceFeatures(const Evaluation &evaluation,
                         const std::string &hottest, double dynamicBytes,
                         FeatureMap &features) {
  for (const ResourceReport &report : evaluation.resources) {
    if (report.kernel != hottest)
      continue;
    features["registers"] = report.registers;
    features["spillBytes"] = report.spillBytes;
    features["sharedBytes"] = report.staticSharedBytes + dynamicBytes;
  }
}

void addProfileFeatures(const Evaluation &evaluation,
                        const std::string &hottest, FeatureMap &features) {
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

/// By the rules of the CUDA occupancy calculator: registers in units of 256 a
/// warp and a quarter of them for each scheduler, 1 KiB of shared memory beside
/// what each block asks for. Zero: not known, and nothing is added.
static double addResidentBlocks(const Facts &facts, FeatureMap &features) {
  double threads = numberOf(features, "blockThreads"),
         registers = numberOf(features, "registers");
  double most = numberOf(facts, "threads"), file = numberOf(facts, "registers"),
         shared = numberOf(facts, "shared_bytes"),
         slots = numberOf(facts, "blocks");
  if (threads <= 0 || registers <= 0 || most <= 0 || file <= 0 || shared <= 0)
    return 0;
  constexpr double lanes = 32, unit = 256, schedulers = 4, reserved = 1024;
  double warps = std::ceil(threads / lanes);
  double ofWarp = std::ceil(registers * lanes / unit) * unit;
  double byRegisters =
      std::floor(std::floor(file / schedulers / ofWarp) * schedulers / warps);
  double byShared = std::floor((shared + reserved) /
                               (numberOf(features, "sharedBytes") + reserved));
  double byThreads = std::floor(most / (warps * lanes));
  double resident = std::min(
      {byRegisters, byShared, byThreads, slots > 0 ? slots : byThreads});
  if (resident <= 0)
    return 0;
  features["blocksPerMultiprocessor"] = resident;
  features["limitedByRegisters"] = byRegisters == resident;
  features["limitedByShared"] = byShared == resident;
  features["theoreticalOccupancy"] = 100 * resident * warps * lanes / most;
  return resident;
}

void addOccupancyFeatures(const Facts *hardware, FeatureMap &features) {
  double sms = numberOf(features, "sms"),
         resident = numberOf(features, "blocksPerMultiprocessor");
  if (hardware && resident == 0)
    resident = addResidentBlocks(*hardware, features);
  if (numberOf(features, "gridBlocks") > 0 && resident > 0 && sms > 0)
    features["waves"] = numberOf(features, "gridBlocks") / (resident * sms);
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
