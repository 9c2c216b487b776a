//===- CuptiMetrics.cpp - Which registers count which metric --------------===//
#include "CuptiMetrics.h"
#include "kernelclaw/Cuda/Cupti.h"

#include <limits>

namespace kclaw {

Expected<std::unique_ptr<MetricPlan>>
MetricPlan::make(const CuptiApi &api, const std::string &chip,
                 const std::vector<std::string> &asked,
                 const std::vector<uint8_t> *availability) {
  std::unique_ptr<MetricPlan> plan(new MetricPlan(api, chip, asked));
  KCLAW_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = plan->chip.c_str();
  params.pCounterAvailabilityImage =
      availability ? availability->data() : nullptr;
  Expected<void> ok = api.check(api.cuptiProfilerHostInitialize(&params),
                                "cuptiProfilerHostInitialize");
  plan->host = params.pHostObject;
  if (ok)
    ok = plan->addMetrics();
  if (ok)
    ok = plan->makeConfig();
  if (!ok)
    return std::unexpected(ok.error());
  return plan;
}

MetricPlan::~MetricPlan() {
  KCLAW_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
  params.pHostObject = host;
  if (host)
    (void)api.cuptiProfilerHostDeinitialize(&params);
}

/// One at a time: another CUPTI may lack one of them.
Expected<void> MetricPlan::addMetrics() {
  for (size_t i = 0; i < asked.size(); ++i) {
    const char *name = asked[i].c_str();
    KCLAW_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, params);
    params.pHostObject = host;
    params.ppMetricNames = &name;
    params.numMetrics = 1;
    if (api.cuptiProfilerHostConfigAddMetrics(&params) != CUPTI_SUCCESS) {
      missing.push_back(asked[i]);
      continue;
    }
    known.push_back(name);
    places.push_back(i);
  }
  if (known.empty())
    return makeError(Error::Code::Unavailable,
                     "not supported: CUPTI " + api.version +
                         " knows none of the metrics on " + chip);
  return {};
}

Expected<void> MetricPlan::makeConfig() {
  KCLAW_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = host;
  if (auto ok = api.check(api.cuptiProfilerHostGetConfigImageSize(&size),
                          "cuptiProfilerHostGetConfigImageSize");
      !ok)
    return ok;
  config.resize(size.configImageSize);
  KCLAW_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image);
  image.pHostObject = host;
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
  params.pHostObject = host;
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
  auto plan = MetricPlan::make(**api, chip, metrics, nullptr);
  if (!plan)
    return std::unexpected(plan.error());
  return MetricCost{(*plan)->passes, (*plan)->missing};
}

} // namespace kclaw
