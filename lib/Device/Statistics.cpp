//===- Statistics.cpp - Medians, intervals and when to stop ---------------===//
#include "Statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

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

/// Median of a copy that may be reordered; the mean of the two middle ones.
static double medianOf(std::vector<double> &samples) {
  if (samples.empty())
    return 0;
  auto middle = samples.begin() + std::ptrdiff_t(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2)
    return *middle;
  return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

double speedupOf(const std::vector<ProcessSamples> &processes) {
  double sum = 0;
  for (const ProcessSamples &process : processes) {
    double candidate = median(process.candidate);
    double incumbent = median(process.incumbent);
    if (!(candidate > 0) || !(incumbent > 0))
      return 0;
    sum += std::log(incumbent / candidate);
  }
  return processes.empty()
             ? 0
             : std::exp(sum / static_cast<double>(processes.size()));
}

namespace {
/// Draws from one process as noise came into it.
class Resampler {
public:
  explicit Resampler(uint64_t seed) : random(seed) {}

  size_t below(size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  }

  /// The logarithm of the speedup in a resample of `process`.
  double logSpeedup(const ProcessSamples &process) {
    candidate.clear();
    incumbent.clear();
    size_t block = std::max<size_t>(process.blockSamples, 1);
    size_t longer =
        std::max(process.candidate.size(), process.incumbent.size());
    size_t blocks = (longer + block - 1) / block;
    for (size_t i = 0; i < blocks; ++i) {
      size_t start = below(blocks) * block;
      draw(process.candidate, start, block, candidate);
      draw(process.incumbent, start, block, incumbent);
    }
    // A contender may have fewer blocks than the other.
    if (candidate.empty())
      draw(process.candidate, 0, process.candidate.size(), candidate);
    if (incumbent.empty())
      draw(process.incumbent, 0, process.incumbent.size(), incumbent);
    return std::log(medianOf(incumbent) / medianOf(candidate));
  }

private:
  void draw(const std::vector<double> &from, size_t start, size_t count,
            std::vector<double> &into) {
    if (start >= from.size())
      return;
    count = std::min(count, from.size() - start);
    for (size_t i = 0; i < count; ++i)
      into.push_back(from[start + below(count)]);
  }

  std::mt19937_64 random;
  std::vector<double> candidate, incumbent;
};
} // namespace

SpeedupInterval bootstrapSpeedup(const std::vector<ProcessSamples> &processes,
                                 uint64_t seed, size_t resamples,
                                 double confidence) {
  bool several = false;
  for (const ProcessSamples &process : processes)
    several |= process.candidate.size() > 1 && process.incumbent.size() > 1;
  if (!several || resamples == 0 || !(speedupOf(processes) > 0))
    return {};
  Resampler resampler(seed);
  std::vector<double> logs;
  for (size_t i = 0; i < resamples; ++i) {
    double sum = 0;
    for (size_t j = 0; j < processes.size(); ++j)
      sum += resampler.logSpeedup(processes[resampler.below(processes.size())]);
    logs.push_back(sum / static_cast<double>(processes.size()));
  }
  double tail = (1 - confidence) / 2;
  return {std::exp(quantile(logs, tail)), std::exp(quantile(logs, 1 - tail)),
          confidence, static_cast<int>(processes.size())};
}

const char *StoppingRule::reason(const std::vector<double> &samples) const {
  if (samples.size() < minimum)
    return nullptr;
  if (samples.size() >= maximum)
    return "maximum";
  // p10..p90 of a normal distribution is 2.563 standard deviations wide.
  double deviation = spread(samples) / 2.563;
  double error =
      1.2533 * deviation / std::sqrt(static_cast<double>(samples.size()));
  return error < precision ? "precision" : nullptr;
}

} // namespace kclaw
