//===- CuptiMetrics.cpp - Which registers count which metric --------------===//
#include "CuptiMetrics.h"
#include "kernelclaw/Cuda/Cupti.h"

#include <limits>

namespace kclaw {

Expected<ProfilerHost> ProfilerHost::make(const CuptiApi &api,
                                          const std::string &chip) {
  KCLAW_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip.c_str();
  if (auto ok = api.check(api.cuptiProfilerHostInitialize(&params),
                          "cuptiProfilerHostInitialize");
      !ok)
    return std::unexpected(ok.error());
  return ProfilerHost(api, params.pHostObject);
}

ProfilerHost::~ProfilerHost() {
  KCLAW_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
  params.pHostObject = handle;
  if (handle)
    (void)api->cuptiProfilerHostDeinitialize(&params);
}

bool ProfilerHost::add(const std::vector<const char *> &metrics) {
  KCLAW_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, params);
  params.pHostObject = handle;
  params.ppMetricNames = const_cast<const char **>(metrics.data());
  params.numMetrics = metrics.size();
  return api->cuptiProfilerHostConfigAddMetrics(&params) == CUPTI_SUCCESS;
}

Expected<std::unique_ptr<MetricPlan>>
MetricPlan::make(const CuptiApi &api, const std::string &chip,
                 const std::vector<std::string> &asked) {
  std::unique_ptr<MetricPlan> plan(new MetricPlan(api, chip, asked));
  Expected<void> ok = plan->addMetrics();
  if (ok)
    ok = plan->makeConfig();
  if (!ok)
    return std::unexpected(ok.error());
  return plan;
}

/// All in one call: CUPTI gives each call passes of its own.
Expected<void> MetricPlan::addMetrics() {
  for (size_t i = 0; i < asked.size(); ++i) {
    known.push_back(asked[i].c_str());
    places.push_back(i);
  }
  for (bool sorted : {false, true}) {
    Expected<ProfilerHost> made = ProfilerHost::make(api, chip);
    if (!made)
      return std::unexpected(made.error());
    if (!known.empty() && made->add(known)) {
      host.emplace(std::move(*made));
      return {};
    }
    if (!sorted)
      if (auto ok = sortOutMissing(); !ok)
        return ok;
  }
  return makeError(Error::Code::Unavailable,
                   "not supported: CUPTI " + api.version +
                       " knows none of the metrics on " + chip);
}

/// Another CUPTI may lack one of them: each is tried alone.
Expected<void> MetricPlan::sortOutMissing() {
  known.clear();
  places.clear();
  for (size_t i = 0; i < asked.size(); ++i) {
    Expected<ProfilerHost> alone = ProfilerHost::make(api, chip);
    if (!alone)
      return std::unexpected(alone.error());
    if (!alone->add({asked[i].c_str()})) {
      missing.push_back(asked[i]);
      continue;
    }
    known.push_back(asked[i].c_str());
    places.push_back(i);
  }
  return {};
}

Expected<void> MetricPlan::makeConfig() {
  KCLAW_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = host->get();
  if (auto ok = api.check(api.cuptiProfilerHostGetConfigImageSize(&size),
                          "cuptiProfilerHostGetConfigImageSize");
      !ok)
    return ok;
  config.resize(size.configImageSize);
  KCLAW_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image);
  image.pHostObject = host->get();
  image.configImageSize = config.size();
  image.pConfigImage = config.data();
  if (auto ok = api.check(api.cuptiProfilerHostGetConfigImage(&image),
                          "cuptiProfilerHostGetConfigImage");
      !ok)
    return ok;
  KCLAW_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, count);
  count.configImageSize = config.size();
  count.pConfigImage = config.data();
  if (auto ok = api.check(api.cuptiProfilerHostGetNumOfPasses(&count),
                          "cuptiProfilerHostGetNumOfPasses");
      !ok)
    return ok;
  passes = static_cast<int>(count.numOfPasses);
  return {};
}

Expected<std::vector<double>>
MetricPlan::evaluate(const std::vector<uint8_t> &image, size_t range) {
  std::vector<double> found(known.size());
  KCLAW_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
  params.pHostObject = host->get();
  params.pCounterDataImage = image.data();
  params.counterDataImageSize = image.size();
  params.rangeIndex = range;
  params.ppMetricNames = known.data();
  params.numMetrics = known.size();
  params.pMetricValues = found.data();
  if (auto ok = api.check(api.cuptiProfilerHostEvaluateToGpuValues(&params),
                          "cuptiProfilerHostEvaluateToGpuValues");
      !ok)
    return std::unexpected(ok.error());
  std::vector<double> values(asked.size(),
                             std::numeric_limits<double>::quiet_NaN());
  for (size_t i = 0; i < found.size(); ++i)
    values[places[i]] = found[i];
  return values;
}

Expected<const CuptiApi *> rangeApi() {
  const Expected<CuptiApi> &api = CuptiApi::get();
  if (!api)
    return std::unexpected(api.error());
  if (!api->noRanges.empty())
    return makeError(Error::Code::Unavailable, api->noRanges);
  return &*api;
}

Expected<MetricCost> costOfMetrics(const std::vector<std::string> &metrics,
                                   const std::string &chip) {
  Expected<const CuptiApi *> api = rangeApi();
  if (!api)
    return std::unexpected(api.error());
  auto plan = MetricPlan::make(**api, chip, metrics);
  if (!plan)
    return std::unexpected(plan.error());
  return MetricCost{(*plan)->passes, (*plan)->missing};
}

} // namespace kclaw
