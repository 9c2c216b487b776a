//===- Features.cpp - What a program sees in a kernel ---------------------===//
#include "kernelclaw/Memory/Features.h"

#include "Extractors.h"

namespace kclaw {

std::map<std::string, double> extractFeatures(const FeatureInput &input) {
  FeatureMap features;
  addGraphFeatures(input.spec, features);
  if (input.hardware)
    addHardwareFeatures(*input.hardware, features);
  if (input.plan)
    addPlanFeatures(input.spec, *input.plan, input.evaluation, features);
  if (!input.evaluation)
    return features;
  std::string hottest = hottestKernel(input.plan, input.evaluation);
  for (const ModuleImage &image : input.evaluation->images)
    if (!hottest.empty())
      addPtxFeatures(image.ptx, hottest, features);
  // At reduced sizes grid, counters and times are not those of the region.
  if (input.evaluation->evidence == Evidence::SimulatedReduced) {
    if (input.evaluation->speedup > 0)
      features["speedup"] = input.evaluation->speedup;
    return features;
  }
  addProfileFeatures(*input.evaluation, hottest, features);
  // Of a launch that no profile describes, too.
  auto blocks = features.find("gridBlocks");
  auto resident = features.find("blocksPerMultiprocessor");
  auto sms = features.find("sms");
  if (blocks != features.end() && resident != features.end() &&
      sms != features.end())
    features["waves"] = blocks->second / (resident->second * sms->second);
  addTimeFeatures(*input.evaluation, input.hardware, features);
  return features;
}

} // namespace kclaw
