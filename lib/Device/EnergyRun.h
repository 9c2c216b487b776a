//===- EnergyRun.h - Joules a call, of winners ------------------*- C++ -*-===//
//
// The board's energy counter over a steady loop of calls, less what the idle
// board takes, which is measured before. A call in the loop is one on warm
// caches and unchanged data. The counter counts the whole board: nothing else
// may run on the device.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_ENERGYRUN_H
#define KERNELCLAW_LIB_DEVICE_ENERGYRUN_H

#include "Workload.h"

namespace kclaw {

/// The counter at a time.
struct EnergySample {
  double seconds = 0;
  double joules = 0;
};

/// Mean power over samples, and its standard error from how much the power of
/// fifths of the time differs. Zero without two samples.
struct Power {
  double watts = 0;
  double uncertaintyWatts = 0;
};
Power powerOf(const std::vector<EnergySample> &samples);

/// Energy of one of `calls` calls that took `seconds` at `load`.
EnergyReading energyPerCall(const Power &idle, const Power &load,
                            double seconds, uint64_t calls);

/// Of candidate and stock, on the data drawn last; some six seconds. A fault of
/// the candidate fails; everything else that is missing is Unavailable.
Run<Energy> measureEnergy(Workload &load, const Timing &candidate,
                          const Timing &stock);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_ENERGYRUN_H
