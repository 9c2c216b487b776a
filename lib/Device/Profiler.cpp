//===- Profiler.cpp - Why the candidate is as fast as it is ---------------===//
#include "Profiler.h"
#include "RooflineModel.h"
#include "SimulatedCounters.h"
#include "StaticProfile.h"
#include "Statistics.h"
#include "kernelclaw/Support/Counters.h"

#include <algorithm>
#include <cmath>
#include <future>

namespace kclaw {

std::vector<std::string> countedMetrics() {
  std::vector<std::string> metrics;
  for (const CounterRow &row : counterTable)
    if (!row.metric.empty())
      metrics.emplace_back(row.metric);
  return metrics;
}

/// A level that was not reached; the same reason is told once.
static void missed(Profile &profile, const std::string &what,
                   const std::string &why) {
  if (profile.reason.find(why) != std::string::npos)
    return;
  profile.reason += (profile.reason.empty() ? "" : "; ") + what + why;
}

static KernelProfile profileOf(const KernelRecord &record) {
  KernelProfile kernel;
  kernel.kernel = record.name;
  kernel.grid = record.grid;
  kernel.block = record.block;
  kernel.registers = record.registers;
  kernel.staticSharedBytes = record.staticSharedBytes;
  kernel.dynamicSharedBytes = record.dynamicSharedBytes;
  kernel.localBytes = record.localBytes;
  return kernel;
}

/// Records of equal runs, the flush kernel first in each.
static Expected<void> addTimes(Profile &profile,
                               const std::vector<KernelRecord> &records) {
  size_t each = records.size() / activityRuns;
  if (each < 2 || records.size() % activityRuns != 0)
    return makeError(Error::Code::Unavailable,
                     "failed: " + std::to_string(records.size()) +
                         " kernel records of " + std::to_string(activityRuns) +
                         " runs");
  std::vector<KernelProfile> kernels;
  for (size_t i = 1; i < each; ++i)
    kernels.push_back(profileOf(records[i]));
  // Steps that launch kernels of their own (libraries) are known by records
  // only.
  if (profile.kernels.size() == kernels.size())
    kernels = profile.kernels;
  std::vector<double> spans;
  for (size_t run = 0; run < activityRuns; ++run) {
    const KernelRecord *first = &records[run * each + 1];
    for (size_t i = 0; i + 1 < each; ++i) {
      if (first[i].name != records[i + 1].name)
        return makeError(Error::Code::Unavailable,
                         "failed: two runs launched different kernels");
      kernels[i].samplesMicroseconds.push_back(
          double(first[i].endNanoseconds - first[i].startNanoseconds) / 1e3);
    }
    uint64_t end = first[each - 2].endNanoseconds;
    spans.push_back(double(end - first->startNanoseconds) / 1e3);
  }
  for (KernelProfile &kernel : kernels) {
    kernel.medianMicroseconds = median(kernel.samplesMicroseconds);
    kernel.spread = spread(kernel.samplesMicroseconds);
  }
  profile.kernels = std::move(kernels);
  profile.kernelSpanMicroseconds = median(spans);
  return {};
}

static Expected<void> addCounters(Profile &profile, const RangeCounts &counts) {
  if (counts.values.size() != profile.kernels.size())
    return makeError(
        Error::Code::Unavailable,
        "failed: counters of " + std::to_string(counts.values.size()) +
            " kernels, the plan has " + std::to_string(profile.kernels.size()));
  for (size_t kernel = 0; kernel < counts.values.size(); ++kernel) {
    size_t metric = 0;
    for (const CounterRow &row : counterTable) {
      if (row.metric.empty())
        continue;
      double value = counts.values[kernel][metric++];
      if (std::isfinite(value))
        profile.kernels[kernel].counters[std::string(row.name)] = value;
    }
  }
  for (const CounterRow &row : counterTable)
    if (std::ranges::find(counts.missing, row.metric) != counts.missing.end())
      profile.missingCounters.emplace_back(row.name);
  profile.passes = counts.passes;
  return {};
}

void observe(Profile &profile, const ProfileSources &sources) {
  profile.level = ProfileLevel::Static;
  Clock::time_point start = Clock::now();
  Expected<std::vector<KernelRecord>> records = sources.activity();
  Expected<void> timed =
      records ? addTimes(profile, *records) : std::unexpected(records.error());
  profile.seconds["activity"] = secondsSince(start);
  if (timed)
    profile.level = ProfileLevel::Activity;
  else
    missed(profile, "kernel times: ", timed.error().message);
  if (profile.kernels.empty())
    return missed(profile, "counters: ", "the plan launches no kernel");
  start = Clock::now();
  Expected<RangeCounts> counts = sources.counters(profile.kernels.size());
  Expected<void> counted =
      counts ? addCounters(profile, *counts) : std::unexpected(counts.error());
  profile.seconds["counters"] = secondsSince(start);
  if (!counted)
    return missed(profile, "counters: ", counted.error().message);
  profile.level = ProfileLevel::Counters;
  profile.source += ", " + counts->chip;
}

static Run<void> runCandidate(Workload &load) {
  KCLAW_TRY(load.enqueue(load.candidate()));
  return load.session->wait(load.remaining(), "a profiled run");
}

namespace {

/// Sources on the device: the plan behind a cold L2.
class DeviceSources {
public:
  explicit DeviceSources(Workload &load) : load(load) {}

  ProfileSources sources() {
    return {[this] { return activity(); },
            [this](size_t kernels) { return counters(kernels); }};
  }
  /// Of a run of the candidate, if one failed.
  std::optional<RunFailure> failure;

private:
  /// Keeps the failure, which CUPTI's wrappers know as an error.
  Expected<void> told(Run<void> done) {
    if (done)
      return {};
    failure = done.error();
    return makeError(Error::Code::Unavailable,
                     "failed: " + done.error().message);
  }
  Expected<void> flush() {
    Run<void> done = load.session->flushL2();
    if (done)
      done = load.session->wait(load.remaining(), "flushing the L2");
    return told(done);
  }
  Expected<void> run() { return told(runCandidate(load)); }

  Expected<std::vector<KernelRecord>> activity() {
    return traceKernels([this]() -> Expected<void> {
      for (size_t i = 0; i < activityRuns; ++i) {
        if (auto ok = told(load.session->flushL2()); !ok)
          return ok;
        if (auto ok = run(); !ok)
          return ok;
      }
      return {};
    });
  }

  Expected<RangeCounts> counters(size_t kernels) {
    return countKernels(
        countedMetrics(), kernels, [this] { return flush(); },
        [this] { return run(); });
  }

  Workload &load;
};

} // namespace

static void addMix(Profile &profile, const PlanInstance &plan,
                   const Expected<PlanMix> &mix) {
  if (!mix) {
    profile.instructionMixReason = mix.error().message;
    return;
  }
  std::map<std::string, std::string> modules;
  for (const ResolvedStep &step : plan.boundSteps())
    modules[step.entry] = step.module;
  for (KernelProfile &kernel : profile.kernels) {
    auto module = mix->find(modules[kernel.kernel]);
    if (module == mix->end())
      continue;
    auto function = module->second.find(kernel.kernel);
    if (function != module->second.end())
      kernel.instructionMix = function->second;
  }
}

static double movedBytes(const Profile &profile) {
  double bytes = 0;
  for (const KernelProfile &kernel : profile.kernels)
    for (const char *name : {"dramReadBytes", "dramWriteBytes"}) {
      auto found = kernel.counters.find(name);
      if (found == kernel.counters.end())
        return 0;
      bytes += found->second;
    }
  return bytes;
}

static DType arithmeticType(const KernelSpec &spec) {
  for (const TensorSpec &tensor : spec.arguments)
    if (info(tensor.dtype).dlpackCode >= 2 && tensor.dtype != DType::boolean)
      return tensor.dtype;
  return DType::f32;
}

static Roofline placeOnRoofline(const Workload &load, CUdevice device,
                                const Profile &profile, const Timing &time) {
  const DeviceFacts &facts = load.session->facts();
  int kilohertz = 0;
  (void)load.session->api.cuDeviceGetAttribute(
      &kilohertz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
  RooflineWork work;
  work.flops = load.spec->flops;
  work.minimalBytes = load.spec->bytes;
  work.resultBytes = resultBytes(*load.problem);
  work.movedBytes = movedBytes(profile);
  work.dtype = arithmeticType(*load.spec);
  work.tensorPipe = usesTensorPipe(profile);
  work.measuredMicroseconds = time.medianMicroseconds;
  return rooflineOf({facts.arch, facts.multiprocessors, 1e3 * kilohertz,
                     facts.pinBytesPerSecond,
                     static_cast<double>(facts.l2Bytes)},
                    work);
}

Run<Profile> profileCandidate(Workload &load,
                              const std::vector<ModuleImage> &images,
                              const Timing &time) {
  Clock::time_point start = Clock::now();
  const DriverApi &api = load.session->api;
  const PlanInstance &plan = *load.candidate().plan;
  // A process of its own, beside the GPU's work.
  auto mix = std::async(std::launch::async, [&] { return mixOf(images); });
  Profile profile;
  profile.device = load.session->facts().name;
  CUdevice device = 0;
  (void)api.cuCtxGetDevice(&device);
  profile.kernels = staticProfile(api, device, plan);
  profile.seconds["static"] = secondsSince(start);
  DeviceSources sources(load);
  if (load.session->isSimulated()) {
    Run<void> counted = addSimulatedCounters(
        api.simulator, profile, [&] { return runCandidate(load); });
    if (!counted)
      return std::unexpected(counted.error());
  } else {
    Clock::time_point loading = Clock::now();
    if (Expected<std::string> version = cuptiVersion())
      profile.source = "CUPTI " + *version;
    profile.seconds["load"] = secondsSince(loading);
    observe(profile, sources.sources());
  }
  Clock::time_point waiting = Clock::now();
  addMix(profile, plan, mix.get());
  profile.seconds["disassembly"] = secondsSince(waiting);
  if (sources.failure && sources.failure->contextLost)
    return std::unexpected(*sources.failure);
  profile.roofline = placeOnRoofline(load, device, profile, time);
  profile.seconds["total"] = secondsSince(start);
  return profile;
}

} // namespace kclaw
