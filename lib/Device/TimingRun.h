//===- TimingRun.h - How fast is it, and still right? -----------*- C++ -*-===//
//
// CUDA events around the whole plan. Each sample: never-seen data, dense and
// normal, poisoned results and scratch, everything but the candidate's own
// buffers hidden. Cold: the L2 is flushed before. Warm: it is not, and the
// inputs were just written, as by a layer before.
//
// Candidate, stock and incumbent alternate in short blocks in random order, the
// SM clock is read after each. Samples chosen at random, some of them in a row,
// are checked in full (KB-02); all others for unwritten elements. The
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
#include <set>

namespace kclaw {

struct TimingReport {
  Timing candidate, stock, copy, incumbent;
  SpeedupInterval speedup;          ///< of stock over the candidate
  SpeedupInterval incumbentSpeedup; ///< of the incumbent over the candidate
  std::string note;
  int rechecked = 0;
};

class TimingRun {
public:
  TimingRun(Workload &load, CorrectnessCheck &check,
            const std::vector<ModuleImage> &candidateImages, uint64_t seed)
      : load(load), check(check), images(candidateImages), random(seed),
        seed(seed) {}

  /// At most about `maxSeconds`, which count for measured samples only.
  Run<TimingReport> run(double maxSeconds);

private:
  enum class Cache { Cold, Warm };
  /// A contender with its samples.
  struct Entrant {
    Contender *who;
    std::vector<double> cold = {}, warm = {}, clocksMHz = {};
    const char *stopped = "";
  };
  Run<double> sample(Contender &who, Cache cache, bool checked);
  Run<void> block(Entrant &entrant, Cache cache, size_t count);
  /// One block of each, in random order.
  Run<void> round(Cache cache, size_t count);
  Run<void> warmUp();
  Run<void> measure(double maxSeconds);
  Run<void> estimate();
  bool isDone(double secondsLeft);
  void chooseChecked();
  Run<TimingReport> report();
  Timing summarise(Entrant &entrant) const;
  Run<std::vector<double>> timeCopy(size_t warmUps, size_t count);
  Run<void> checkFloor(TimingReport &report);
  Timing summariseCopy(std::vector<double> samples) const;

  Workload &load;
  CorrectnessCheck &check;
  const std::vector<ModuleImage> &images;
  std::mt19937_64 random;
  uint64_t seed;
  std::vector<Entrant> entrants; ///< candidate, stock, incumbent
  /// The candidate's samples to check in full.
  std::set<size_t> checkedCold, checkedWarm;
  int rechecked = 0;
};

/// Microseconds below which no run can move the spec's bytes: all reads and
/// what does not stay in the L2 of the writes, at the pins' rate. 0: unknown.
double floorMicroseconds(double specBytes, double resultBytes, double l2Bytes,
                         double pinBytesPerSecond);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_TIMINGRUN_H
