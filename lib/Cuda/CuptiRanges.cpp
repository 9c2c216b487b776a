//===- CuptiRanges.cpp - Counters by CUPTI's range profiler ---------------===//
//
// Each kernel is a range of its own, and the caller's work is replayed until
// all passes are counted. Which registers count which metric (the config image)
// is worked out once a process: it takes longer than the counting.
//
//===----------------------------------------------------------------------===//
#include "CuptiMetrics.h"
#include "kernelclaw/Cuda/Cupti.h"
#include "kernelclaw/Cuda/DriverApi.h"

namespace kclaw {

namespace {

/// The range profiler of one context, between enable and disable.
class RangeProfiler {
public:
  explicit RangeProfiler(const CuptiApi &api) : api(api) {}
  RangeProfiler(RangeProfiler &&) = delete;
  ~RangeProfiler() {
    if (!object)
      return;
    KCLAW_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
    params.pRangeProfilerObject = object;
    (void)api.cuptiRangeProfilerDisable(&params);
  }

  Expected<void> enable(CUcontext context) {
    KCLAW_PARAMS(CUpti_RangeProfiler_Enable_Params, params);
    params.ctx = context;
    CUptiResult result = api.cuptiRangeProfilerEnable(&params);
    if (result == CUPTI_SUCCESS)
      object = params.pRangeProfilerObject;
    return api.check(result, "cuptiRangeProfilerEnable");
  }

  Expected<void> configure(MetricPlan &plan, size_t maxKernels);
  /// True when that was the last pass.
  Expected<bool> pass(const ObservedWork &work);
  /// Ends counting and returns the number of kernels counted.
  Expected<size_t> decode();
  const std::vector<uint8_t> &counted() const { return image; }

private:
  const CuptiApi &api;
  CUpti_RangeProfiler_Object *object = nullptr;
  std::vector<uint8_t> image;
};

Expected<void> RangeProfiler::configure(MetricPlan &plan, size_t maxKernels) {
  KCLAW_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
  size.pRangeProfilerObject = object;
  size.pMetricNames = plan.known.data();
  size.numMetrics = plan.known.size();
  size.maxNumOfRanges = maxKernels;
  size.maxNumRangeTreeNodes = static_cast<uint32_t>(maxKernels);
  if (auto ok = api.check(api.cuptiRangeProfilerGetCounterDataSize(&size),
                          "cuptiRangeProfilerGetCounterDataSize");
      !ok)
    return ok;
  image.assign(size.counterDataSize, 0);
  KCLAW_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, start);
  start.pRangeProfilerObject = object;
  start.counterDataSize = image.size();
  start.pCounterData = image.data();
  if (auto ok =
          api.check(api.cuptiRangeProfilerCounterDataImageInitialize(&start),
                    "cuptiRangeProfilerCounterDataImageInitialize");
      !ok)
    return ok;
  KCLAW_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
  params.pRangeProfilerObject = object;
  params.configSize = plan.config.size();
  params.pConfig = plan.config.data();
  params.counterDataImageSize = image.size();
  params.pCounterDataImage = image.data();
  params.range = CUPTI_AutoRange;
  params.replayMode = CUPTI_UserReplay;
  params.maxRangesPerPass = maxKernels;
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  params.targetNestingLevel = 1;
  return api.check(api.cuptiRangeProfilerSetConfig(&params),
                   "cuptiRangeProfilerSetConfig");
}

Expected<bool> RangeProfiler::pass(const ObservedWork &work) {
  KCLAW_PARAMS(CUpti_RangeProfiler_Start_Params, start);
  start.pRangeProfilerObject = object;
  if (auto ok = api.check(api.cuptiRangeProfilerStart(&start),
                          "cuptiRangeProfilerStart");
      !ok)
    return std::unexpected(ok.error());
  Expected<void> worked = work();
  KCLAW_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
  stop.pRangeProfilerObject = object;
  CUptiResult stopped = api.cuptiRangeProfilerStop(&stop);
  if (!worked)
    return std::unexpected(worked.error());
  if (auto ok = api.check(stopped, "cuptiRangeProfilerStop"); !ok)
    return std::unexpected(ok.error());
  return stop.isAllPassSubmitted != 0;
}

Expected<size_t> RangeProfiler::decode() {
  KCLAW_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
  decode.pRangeProfilerObject = object;
  if (auto ok = api.check(api.cuptiRangeProfilerDecodeData(&decode),
                          "cuptiRangeProfilerDecodeData");
      !ok)
    return std::unexpected(ok.error());
  KCLAW_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
  info.pCounterDataImage = image.data();
  info.counterDataImageSize = image.size();
  if (auto ok = api.check(api.cuptiRangeProfilerGetCounterDataInfo(&info),
                          "cuptiRangeProfilerGetCounterDataInfo");
      !ok)
    return std::unexpected(ok.error());
  if (decode.numOfRangeDropped > 0)
    return makeError(Error::Code::Unavailable,
                     "failed: the plan launched " +
                         std::to_string(decode.numOfRangeDropped) +
                         " kernels more than expected");
  return info.numTotalRanges;
}

/// CUPTI's profilers are switched on while it lives.
class ProfilerSwitch {
public:
  explicit ProfilerSwitch(const CuptiApi &api) : api(api) {}
  ProfilerSwitch(ProfilerSwitch &&) = delete;
  ~ProfilerSwitch() {
    KCLAW_PARAMS(CUpti_Profiler_DeInitialize_Params, params);
    if (on)
      (void)api.cuptiProfilerDeInitialize(&params);
  }
  Expected<void> turnOn() {
    KCLAW_PARAMS(CUpti_Profiler_Initialize_Params, params);
    CUptiResult result = api.cuptiProfilerInitialize(&params);
    on = result == CUPTI_SUCCESS;
    return api.check(result, "cuptiProfilerInitialize");
  }

private:
  const CuptiApi &api;
  bool on = false;
};

/// The process's plan: made anew only when chip or metrics change.
Expected<MetricPlan *> planFor(const CuptiApi &api, size_t ordinal,
                               const std::vector<std::string> &metrics) {
  static std::unique_ptr<MetricPlan> kept;
  KCLAW_PARAMS(CUpti_Device_GetChipName_Params, device);
  device.deviceIndex = ordinal;
  if (auto ok = api.check(api.cuptiDeviceGetChipName(&device),
                          "cuptiDeviceGetChipName");
      !ok)
    return std::unexpected(ok.error());
  std::string chip = device.pChipName;
  if (kept && kept->chip == chip && kept->asked == metrics)
    return kept.get();
  auto made = MetricPlan::make(api, chip, metrics);
  if (!made)
    return std::unexpected(made.error());
  kept = std::move(*made);
  return kept.get();
}

Expected<RangeCounts> count(const CuptiApi &api, CUcontext context,
                            MetricPlan &plan, size_t maxKernels,
                            const ObservedWork &before,
                            const ObservedWork &work) {
  RangeProfiler profiler(api);
  if (auto ok = profiler.enable(context); !ok)
    return std::unexpected(ok.error());
  if (auto ok = profiler.configure(plan, maxKernels); !ok)
    return std::unexpected(ok.error());
  RangeCounts counts;
  counts.chip = plan.chip;
  counts.missing = plan.missing;
  for (bool last = false; !last; ++counts.passes) {
    if (counts.passes > plan.passes + 2)
      return makeError(Error::Code::Unavailable,
                       "failed: " + std::to_string(counts.passes) +
                           " passes were not enough for " +
                           std::to_string(plan.passes));
    if (auto ok = before(); !ok)
      return std::unexpected(ok.error());
    Expected<bool> done = profiler.pass(work);
    if (!done)
      return std::unexpected(done.error());
    last = *done;
  }
  Expected<size_t> kernels = profiler.decode();
  if (!kernels)
    return std::unexpected(kernels.error());
  for (size_t i = 0; i < *kernels; ++i) {
    auto values = plan.evaluate(profiler.counted(), i);
    if (!values)
      return std::unexpected(values.error());
    counts.values.push_back(std::move(*values));
  }
  return counts;
}

} // namespace

Expected<RangeCounts> countKernels(const std::vector<std::string> &metrics,
                                   size_t maxKernels,
                                   const ObservedWork &before,
                                   const ObservedWork &work) {
  Expected<const CuptiApi *> api = rangeApi();
  if (!api)
    return std::unexpected(api.error());
  const Expected<DriverApi> &driver = DriverApi::get();
  if (!driver)
    return std::unexpected(driver.error());
  CUcontext context = nullptr;
  CUdevice ordinal = 0;
  for (CUresult result :
       {driver->cuCtxGetCurrent(&context), driver->cuCtxGetDevice(&ordinal)})
    if (auto ok = driver->check(result, "failed: asking for the context"); !ok)
      return std::unexpected(ok.error());
  ProfilerSwitch on(**api);
  if (auto ok = on.turnOn(); !ok)
    return std::unexpected(ok.error());
  Expected<MetricPlan *> plan =
      planFor(**api, static_cast<size_t>(ordinal), metrics);
  if (!plan)
    return std::unexpected(plan.error());
  return count(**api, context, **plan, maxKernels, before, work);
}

} // namespace kclaw
