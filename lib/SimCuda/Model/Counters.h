//===- Counters.h - The counters of a launch, by name -----------*- C++ -*-===//
//
// One table of normalised names, with unit and meaning and the counter of a
// real profile (CUPTI, Nsight Compute on sm_80 and newer) that is the same
// thing. Names of real profiles are taken from here, so that both can be read
// by one program; times are of evidence class `simulated`.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_MODEL_COUNTERS_H
#define KERNELCLAW_LIB_SIMCUDA_MODEL_COUNTERS_H

#include "Estimate.h"

#include <span>

namespace kclaw::sim {

struct LaunchRecord {
  const DeviceModel *device = nullptr;
  LaunchFacts facts;
  TimeEstimate time;
};

struct CounterRow {
  const char *name; ///< "global.load.sectors"
  const char *unit; ///< "1", "byte", "ns", "1/1" (a share)
  const char *meaning;
  /// The counter of a real profile; "": none is the same. Those of instruction
  /// classes count PTX here and machine code there.
  const char *real;
  double (*value)(const LaunchRecord &launch);
};
std::span<const CounterRow> counterRows();

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_MODEL_COUNTERS_H
