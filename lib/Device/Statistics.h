//===- Statistics.h - Median, spread and when to stop -----------*- C++ -*-===//
//
// Pure functions over samples, tested with invented numbers.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_STATISTICS_H
#define KERNELCLAW_LIB_DEVICE_STATISTICS_H

#include <cstddef>
#include <vector>

namespace kclaw {

/// Quantile with linear interpolation; 0 without samples.
double quantile(std::vector<double> samples, double q);
double median(const std::vector<double> &samples);
/// (p90 - p10) / median; 0 without samples.
double spread(const std::vector<double> &samples);

/// Enough samples: at least `minimum`, and the median's standard error
/// (1.2533 sd / sqrt(n) for near-normal samples; sd from the p10..p90 range)
/// is below `precision` of it, or `maximum` is reached.
struct StoppingRule {
  size_t minimum = 20;
  size_t maximum = 200;
  double precision = 0.002;
  bool enough(const std::vector<double> &samples) const;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_STATISTICS_H
