//===- Profile.h - Why a plan is as fast as it is ---------------*- C++ -*-===//
//
// Part of an Evaluation, made for kept candidates after all timing. Says how
// much could be seen and why not more. Counters have the names and units of
// Support/Counters.h. JSON form: docs/schema/evaluation.schema.json.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_PROFILE_H
#define KERNELCLAW_PLAN_PROFILE_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kclaw {

/// From little to much; each has what the ones before have.
enum class ProfileLevel {
  None,     ///< no profile was made
  Static,   ///< resources, occupancy, instruction mix
  Activity, ///< and the time of each kernel
  Counters, ///< and hardware counters
};

/// One kernel launch of the plan, in its order.
struct KernelProfile {
  std::string kernel;
  std::array<int64_t, 3> grid = {0, 0, 0};
  std::array<int64_t, 3> block = {0, 0, 0};
  int64_t clusterBlocks = 1;
  // Static.
  int registers = 0;
  int64_t staticSharedBytes = 0;
  int64_t dynamicSharedBytes = 0;
  int64_t localBytes = 0; ///< per thread: spills and stack
  int blocksPerMultiprocessor = 0;
  std::string occupancyLimit;                    ///< "registers, shared memory"
  std::map<std::string, int64_t> instructionMix; ///< by InstructionMix.h
  // Activity: this kernel alone, L2 cold before the plan.
  std::vector<double> samplesMicroseconds;
  double medianMicroseconds = 0;
  double spread = 0; ///< (p90 - p10) / median
  /// What could be read, by name; theoreticalOccupancy is there at all levels.
  std::map<std::string, double> counters;
};

/// The plan on the roofline of the device.
struct Roofline {
  double flops = 0;        ///< the spec's
  double minimalBytes = 0; ///< the spec's: must move
  double movedBytes = 0;   ///< DRAM traffic of all kernels; 0 unknown
  /// Peaks that were assumed: pins, and arithmetic at the top clock.
  double peakBytesPerSecond = 0;
  double peakFlopsPerSecond = 0;
  std::string peakKind;         ///< "fp32", "tensor f16", ...
  double intensity = 0;         ///< flops a byte moved (else minimal)
  double ridge = 0;             ///< intensity where both limits meet
  std::string boundBy;          ///< "memory" or "compute"
  double boundMicroseconds = 0; ///< no run can be faster
  double measuredMicroseconds = 0;
  double headroom = 0; ///< measured / bound; 1: at the roof; 0 unknown
};

struct Profile {
  ProfileLevel level = ProfileLevel::None;
  /// Why the level is not higher ("no permission: ..."); empty at the top.
  std::string reason;
  std::string source; ///< "CUPTI 13.0, GH100"
  std::string device; ///< "NVIDIA H200"
  std::vector<KernelProfile> kernels;
  /// First to last kernel of one run; by activity records, cold.
  double kernelSpanMicroseconds = 0;
  std::string instructionMixReason;         ///< why there is no mix
  std::vector<std::string> missingCounters; ///< names that CUPTI lacks here
  int passes = 0; ///< replays of the plan that the counters took
  Roofline roofline;
  /// What the profile cost, by part: "activity", "counters", ... and "total".
  std::map<std::string, double> seconds;
};

} // namespace kclaw

#endif // KERNELCLAW_PLAN_PROFILE_H
