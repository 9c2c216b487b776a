//===- TimingRun.h - How fast is it, and still right? -----------*- C++ -*-===//
//
// CUDA events around the whole plan. Each sample: fresh data, poisoned results
// and scratch, a cold L2. Candidate and stock alternate in short blocks in
// random order. Samples chosen at random are checked in full (KB-02), and the
// candidate's modules are loaded anew between blocks, so its globals start
// over.
//
// The simulator's estimate says the same at each run: one sample each, checked
// in full.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_TIMINGRUN_H
#define KERNELCLAW_LIB_DEVICE_TIMINGRUN_H

#include "Correctness.h"

#include <random>

namespace kclaw {

struct TimingReport {
  Timing candidate, stock, copy;
  std::string note;
  int rechecked = 0;
};

class TimingRun {
public:
  TimingRun(Workload &load, CorrectnessCheck &check,
            const std::vector<ModuleImage> &candidateImages, uint64_t seed)
      : load(load), check(check), images(candidateImages), random(seed) {}

  /// At most about `maxSeconds`, which count for measured samples only.
  Run<TimingReport> run(double maxSeconds);

private:
  Run<double> sample(Contender &who);
  Run<void> block(Contender &who, std::vector<double> &samples, size_t count);
  Run<void> warmUp();
  Run<TimingReport> measure(double maxSeconds);
  Run<TimingReport> estimate();
  Run<void> finish(TimingReport &report);
  Run<std::vector<double>> timeCopy(size_t warmUps, size_t count);
  Run<void> checkFloor(TimingReport &report);
  Timing summarise(std::vector<double> samples) const;

  Workload &load;
  CorrectnessCheck &check;
  const std::vector<ModuleImage> &images;
  std::mt19937_64 random;
  std::vector<size_t> chosen; ///< candidate samples to check in full
  int rechecked = 0;
};

/// Microseconds below which no run can move the spec's bytes: all reads and
/// what does not stay in the L2 of the writes, at the pins' rate. 0: unknown.
double floorMicroseconds(double specBytes, double resultBytes, double l2Bytes,
                         double pinBytesPerSecond);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_TIMINGRUN_H
