//===- Statistics.h - Medians, intervals and when to stop -------*- C++ -*-===//
//
// Pure functions over samples, tested with invented numbers.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_STATISTICS_H
#define KERNELCLAW_LIB_DEVICE_STATISTICS_H

#include "kernelclaw/Plan/Timing.h"

#include <cstddef>
#include <vector>

namespace kclaw {

/// Quantile with linear interpolation; 0 without samples.
double quantile(std::vector<double> samples, double q);
double median(const std::vector<double> &samples);
/// (p90 - p10) / median; 0 without samples.
double spread(const std::vector<double> &samples);

/// Samples of two contenders from one process, taken in blocks that alternate.
struct ProcessSamples {
  std::vector<double> candidate, incumbent;
  size_t blockSamples = 1;
};

/// The incumbent's median over the candidate's: the geometric mean of the
/// processes. 0 without samples.
double speedupOf(const std::vector<ProcessSamples> &processes);

/// Percentile bootstrap of `speedupOf` (Efron and Tibshirani 1993, 13.3), in
/// the order in which noise comes about: processes are drawn with replacement,
/// in each of them blocks (the two contenders' at the same place together,
/// since they share the clock), in each block samples. Unknown where every
/// process has one sample. `seed` makes it repeatable.
SpeedupInterval bootstrapSpeedup(const std::vector<ProcessSamples> &processes,
                                 uint64_t seed, size_t resamples = 1000,
                                 double confidence = 0.95);

/// Enough samples: at least `minimum`, and the median's standard error
/// (1.2533 sd / sqrt(n) for near-normal samples; sd from the p10..p90 range)
/// is below `precision` of it, or `maximum` is reached.
struct StoppingRule {
  size_t minimum = 20;
  size_t maximum = 200;
  double precision = 0.002;
  bool enough(const std::vector<double> &samples) const {
    return reason(samples) != nullptr;
  }
  /// "precision" or "maximum"; null: not enough.
  const char *reason(const std::vector<double> &samples) const;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_STATISTICS_H
