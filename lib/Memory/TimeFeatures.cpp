//===- TimeFeatures.cpp - Times against what the target allows ------------===//
#include "Extractors.h"

#include <algorithm>

namespace kclaw {

/// What a launch costs where nothing overlaps it (docs/Measuring.md).
constexpr double launchMicroseconds = 2.5;

namespace {
/// What the peaks of the target allow the region.
struct Bound {
  double memory = 0, compute = 0; ///< microseconds
  double microseconds() const { return std::max(memory, compute); }
};
} // namespace

/// The peaks of `facts` that the region may use; absent facts give nothing.
static std::optional<Bound> boundOf(const Facts *facts,
                                    const FeatureMap &features) {
  if (!facts)
    return std::nullopt;
  bool tensor = numberOf(features, "tensorCoresAllowed") != 0;
  double peak = !tensor ? numberOf(*facts, "fp32_tflops")
                : numberOf(features, "narrowFloat") != 0
                    ? numberOf(*facts, "f16_tensor_tflops")
                    : numberOf(*facts, "tf32_tensor_tflops");
  double bytes = numberOf(features, "minimalBytes"),
         rate = numberOf(*facts, "peak_gbps");
  if (bytes <= 0 || rate <= 0 || peak <= 0)
    return std::nullopt;
  return Bound{bytes / (rate * 1e3),
               numberOf(features, "intensity") * bytes / (peak * 1e6)};
}

/// Time over that of a copy of the same bytes, as a multiple of the bound that
/// the pins set; 0: not known. In it a launch is part of both, which the
/// roofline knows nothing of.
static double headroomOverCopy(const Evaluation &evaluation,
                               const Facts *hardware) {
  double time = evaluation.time.medianMicroseconds,
         copy = evaluation.copyTime.medianMicroseconds;
  if (time <= 0 || copy <= 0)
    return 0;
  double pins = hardware ? numberOf(*hardware, "peak_gbps") : 0,
         copied = hardware ? numberOf(*hardware, "copy_gbps") : 0;
  return time / copy * (pins > 0 && copied > 0 ? pins / copied : 1);
}

void addReducedTimeFeatures(const Evaluation &evaluation, const Facts *hardware,
                            FeatureMap &features) {
  // A copy in which launching is the smaller part; or a time so far from it,
  // other launches left out, that taking one from both moves it further away.
  constexpr double byBytes = 2 * launchMicroseconds, farAway = 2;
  if (evaluation.speedup > 0)
    features["speedup"] = evaluation.speedup;
  auto bound = boundOf(hardware, features);
  if (bound)
    features["memoryBound"] = bound->memory >= bound->compute;
  double over = headroomOverCopy(evaluation, hardware);
  double copy = evaluation.copyTime.medianMicroseconds;
  double others = std::max(0.0, numberOf(features, "launches") - 1);
  double apart =
      evaluation.time.medianMicroseconds - others * launchMicroseconds;
  bool says = copy >= byBytes || apart >= farAway * copy;
  if (bound && bound->memory >= bound->compute && over > 0 && says)
    features["headroom"] = over;
}

void addTimeFeatures(const Evaluation &evaluation, const Facts *hardware,
                     FeatureMap &features) {
  double time = evaluation.time.medianMicroseconds;
  if (evaluation.speedup > 0)
    features["speedup"] = evaluation.speedup;
  const Roofline &roofline = evaluation.profile.roofline;
  auto bound = boundOf(hardware, features);
  if (!roofline.boundBy.empty())
    features["memoryBound"] = roofline.boundBy == "memory";
  else if (bound)
    features["memoryBound"] = bound->memory >= bound->compute;
  if (roofline.movedBytes > 0 && roofline.minimalBytes > 0)
    features["movedRatio"] = roofline.movedBytes / roofline.minimalBytes;
  if (time <= 0)
    return;
  features["microseconds"] = time;
  double headroom = roofline.headroom > 0 ? roofline.headroom
                    : bound               ? time / bound->microseconds()
                                          : 0;
  double over = headroomOverCopy(evaluation, hardware);
  if (headroom > 0 && over > 0)
    headroom = std::min(headroom, over);
  if (headroom > 0)
    features["headroom"] = headroom;
  if (evaluation.copyTime.medianMicroseconds > 0)
    features["copyRatio"] = time / evaluation.copyTime.medianMicroseconds;
  if (auto launches = features.find("launches"); launches != features.end())
    features["launchShare"] =
        std::min(1.0, launches->second * launchMicroseconds / time);
}

} // namespace kclaw
