//===- SuccessiveHalving.h - The fastest of many, cheaply -------*- C++ -*-===//
//
// Jamieson and Talwalkar 2016 (arXiv:1502.07943), on times: all contestants get
// few samples, the better half twice as many, and so on. Pure but for
// `measure`; tested with invented numbers.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_SUCCESSIVEHALVING_H
#define KERNELCLAW_LIB_DEVICE_SUCCESSIVEHALVING_H

#include <cstddef>
#include <functional>
#include <vector>

namespace kclaw {

struct HalvingOptions {
  size_t firstSamples = 3;
  size_t maxSamples = 24; ///< of one contestant in one rung
  /// Times are exact (an estimate): one sample decides.
  bool exact = false;
};

struct Contestant {
  std::vector<double> samples;
  double median = 0;
  int rung = 0; ///< the last one it took part in; 0: it was never timed
  bool failed = false;
};

struct HalvingResult {
  std::vector<Contestant> contestants; ///< in the order given
  /// Of those with a time: by the rung they reached, then by their median.
  std::vector<size_t> ranking;
  bool cutShort = false; ///< `goOn` ended it
};

/// Adds `samples` times of contestant `index`; false: it failed, and is out.
using Measure = std::function<bool(size_t index, size_t samples,
                                   std::vector<double> &times)>;

/// `goOn` is asked before each measurement.
HalvingResult successiveHalving(size_t count, const HalvingOptions &options,
                                const Measure &measure,
                                const std::function<bool()> &goOn);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SUCCESSIVEHALVING_H
