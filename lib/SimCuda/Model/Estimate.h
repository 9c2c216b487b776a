//===- Estimate.h - How long an operation would take ------------*- C++ -*-===//
//
// What the simulated clock advances by. An estimate, never a measurement: its
// evidence class is `simulated`. docs/results/sim-estimate.md compares it with
// an H200.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_MODEL_ESTIMATE_H
#define KERNELCLAW_LIB_SIMCUDA_MODEL_ESTIMATE_H

#include "../Exec/Block.h"
#include "Device.h"

namespace kclaw::sim {

/// What is known of a launch after it ran.
struct LaunchFacts {
  Counts counts;
  uint64_t blocks = 1;
  uint32_t threads = 1;        ///< of a block
  uint32_t sharedBytes = 0;    ///< of a block, static and dynamic
  int registers = 0;           ///< of a thread
  uint32_t residentBlocks = 1; ///< that fit one multiprocessor
};

/// Nanoseconds that each resource alone would need. All but `launch` overlap;
/// `total` is launch + (sum of t^p)^(1/p), a maximum with soft edges. A
/// resource of the multiprocessors takes as long as on the one that runs most
/// blocks: a last wave that is not full costs a whole one.
struct TimeEstimate {
  double launch = 0;   ///< of an empty kernel, from event to event
  double dispatch = 0; ///< handing out the blocks
  double memory = 0;   ///< bytes that reach the memory
  double l2 = 0;       ///< sectors through the L2; partial writes weigh more
  double atomics = 0;  ///< turns at the busiest slice of the L2
  double l1 = 0;       ///< cycles of the L1's and shared memory's data path
  double issue = 0;    ///< issue slots, four a cycle
  double pipe = 0;     ///< the busiest arithmetic pipe
  double tensor = 0;
  double latency = 0; ///< chains of dependent instructions, wave after wave
  double total = 0;
  const char *bound = ""; ///< the largest term: "memory", "latency", ...
};

TimeEstimate estimate(const DeviceModel &device, const LaunchFacts &facts);

/// Of the sectors that reach the L2, how many the memory reads and is given.
double memoryReadSectors(const Counts &counts);
double memoryWriteSectors(const Counts &counts);

enum class Traffic { Device, Host };
/// A copy or a memset of `bytes` inside the device, or over the bus.
uint64_t estimateNanoseconds(const DeviceModel &device, Traffic traffic,
                             uint64_t bytes);

/// A library's matrix product or convolution that moves `bytes` once; the f32
/// pipe, or the tensor cores.
uint64_t estimateNanoseconds(const DeviceModel &device, const TensorKind *pipe,
                             double multiplyAdds, double bytes);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_MODEL_ESTIMATE_H
