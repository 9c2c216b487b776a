//===- Timing.h - Times, what they prove, and energy ------------*- C++ -*-===//
//
// Parts of an Evaluation. A time carries its samples and how it was taken;
// cold and warm are different numbers. A comparison carries its interval.
// JSON form: docs/schema/evaluation.schema.json.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_TIMING_H
#define KERNELCLAW_PLAN_TIMING_H

#include <cstdint>
#include <string>
#include <vector>

namespace kclaw {

/// Microseconds of runs whose inputs were just written and whose L2 was not
/// flushed; otherwise as cold ones: never-seen data, poisoned results.
struct WarmTiming {
  std::vector<double> samplesMicroseconds;
  double medianMicroseconds = 0;
  double spread = 0;  ///< (p90 - p10) / median
  std::string method; ///< "events, warm L2", "estimate, warm L2"
};

/// Microseconds by CUDA events around the whole plan, L2 flushed before each;
/// on the simulator its estimate.
struct Timing {
  std::vector<double> samplesMicroseconds; ///< cold, in the order taken
  double medianMicroseconds = 0;
  double spread = 0;   ///< (p90 - p10) / median
  double clockMHz = 0; ///< median SM clock of the blocks; 0 unknown
  std::string device;  ///< "NVIDIA H200"
  std::string method;  ///< "events, cold L2", "estimate of the simulator"
  /// Samples were taken in blocks of `blockSamples`, alternating with the
  /// incumbent's; the SM clock was read after each block.
  int blockSamples = 0;
  std::vector<double> blockClocksMHz;
  /// Why no more samples were taken: "precision" (the median is known well
  /// enough), "maximum", "time"; empty: their number was fixed.
  std::string stopped;
  WarmTiming warm;
  bool empty() const { return samplesMicroseconds.empty(); }
};

/// Bootstrap interval of a speedup: resampled over processes, then their
/// blocks, then samples. `confidence` 0: not known.
struct SpeedupInterval {
  double low = 0, high = 0;
  double confidence = 0; ///< 0.95
  int processes = 0;
  bool known() const { return confidence > 0; }
};

/// One fresh process that judged a winner again.
struct ConfirmingProcess {
  double speedup = 0;
  double medianMicroseconds = 0;
  double stockMedianMicroseconds = 0;
  double clockMHz = 0;
  uint64_t seed = 0;
};

/// A winner judged again from the beginning in fresh processes.
struct Confirmation {
  int asked = 0; ///< processes; 0: not asked for, or not a winner
  std::vector<ConfirmingProcess> processes;
  bool held = false;
  std::string reason; ///< why it did not hold, or was not tried
};

/// Energy of one contender in a steady loop, idle power subtracted.
struct EnergyReading {
  double joulesPerCall = 0;
  double uncertaintyJoules = 0; ///< one standard error, of joulesPerCall
  double loadWatts = 0;         ///< all of the board, during the loop
  double seconds = 0;           ///< of the loop
  uint64_t calls = 0;
};

struct Energy {
  enum class State { NotAsked, Measured, Unavailable };
  State state = State::NotAsked;
  std::string reason; ///< why it is unavailable
  double idleWatts = 0;
  EnergyReading candidate, stock;
};

} // namespace kclaw

#endif // KERNELCLAW_PLAN_TIMING_H
