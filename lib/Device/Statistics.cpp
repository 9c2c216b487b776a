//===- Statistics.cpp - Median, spread and when to stop -------------------===//
#include "Statistics.h"

#include <algorithm>
#include <cmath>

namespace kclaw {

double quantile(std::vector<double> samples, double q) {
  if (samples.empty())
    return 0;
  std::sort(samples.begin(), samples.end());
  double at = q * static_cast<double>(samples.size() - 1);
  size_t low = static_cast<size_t>(at);
  size_t high = std::min(low + 1, samples.size() - 1);
  return samples[low] +
         (at - static_cast<double>(low)) * (samples[high] - samples[low]);
}

double median(const std::vector<double> &samples) {
  return quantile(samples, 0.5);
}

double spread(const std::vector<double> &samples) {
  double middle = median(samples);
  return middle > 0 ? (quantile(samples, 0.9) - quantile(samples, 0.1)) / middle
                    : 0;
}

bool StoppingRule::enough(const std::vector<double> &samples) const {
  if (samples.size() < minimum)
    return false;
  if (samples.size() >= maximum)
    return true;
  // p10..p90 of a normal distribution is 2.563 standard deviations wide.
  double deviation = spread(samples) / 2.563;
  double error =
      1.2533 * deviation / std::sqrt(static_cast<double>(samples.size()));
  return error < precision;
}

} // namespace kclaw
