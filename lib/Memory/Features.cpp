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
  addResourceFeatures(
      *input.evaluation, hottest,
      dynamicSharedBytes(input.spec, input.plan, input.evaluation, hottest),
      features);
  // At reduced sizes grid, counters and times are not those of the region.
  if (input.evaluation->evidence == Evidence::SimulatedReduced) {
    addOccupancyFeatures(input.hardware, features);
    addReducedTimeFeatures(*input.evaluation, input.hardware, features);
    return features;
  }
  addProfileFeatures(*input.evaluation, hottest, features);
  addOccupancyFeatures(input.hardware, features);
  addTimeFeatures(*input.evaluation, input.hardware, features);
  return features;
}

} // namespace kclaw
