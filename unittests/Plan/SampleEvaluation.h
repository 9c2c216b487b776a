//===- SampleEvaluation.h - One invented evaluation for tests ---*- C++ -*-===//
//
// Every member differs from its default.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SAMPLEEVALUATION_H
#define KERNELCLAW_UNITTESTS_SAMPLEEVALUATION_H

#include "kernelclaw/Plan/Evaluation.h"

#include <cmath>

namespace kclaw {

inline Profile sampleProfile() {
  KernelProfile kernel;
  kernel.kernel = "k";
  kernel.grid = {132, 2, 1};
  kernel.block = {256, 1, 1};
  kernel.clusterBlocks = 2;
  kernel.registers = 40;
  kernel.staticSharedBytes = 1024;
  kernel.dynamicSharedBytes = 65536;
  kernel.localBytes = 16;
  kernel.blocksPerMultiprocessor = 3;
  kernel.occupancyLimit = "shared memory";
  kernel.instructionMix = {{"fp32", 12}, {"globalLoad", 4}};
  kernel.samplesMicroseconds = {10, 11, 12};
  kernel.medianMicroseconds = 11;
  kernel.spread = 0.1;
  kernel.counters = {{"dramThroughput", 91.5}, {"sectorsPerLoad", INFINITY}};
  Profile profile;
  profile.level = ProfileLevel::Counters;
  profile.reason = "kernel times: busy: cuptiActivityEnable";
  profile.source = "CUPTI 13.0, GH100";
  profile.device = "NVIDIA H200";
  profile.kernels = {kernel};
  profile.kernelSpanMicroseconds = 11.5;
  profile.instructionMixReason = "no disassembler";
  profile.missingCounters = {"stallWait"};
  profile.passes = 12;
  profile.roofline = {1e9, 2e8,  3e8,      4.8e12, 6e13, "fp32",
                      3.3, 12.5, "memory", 50.5,   60.6, 1.2};
  profile.seconds = {{"total", 0.5}};
  return profile;
}

inline Evaluation sampleEvaluation() {
  Evaluation e;
  e.jobId = "abc-1";
  e.outcome = Outcome::Mismatch;
  e.rule = "budget";
  e.message = "result 0 is wrong";
  e.evidence = Evidence::Measured;
  e.log = "ptxas info";
  e.errors = {
      {0, "normal", 0.5, INFINITY, 1e-7, 2e-7, 4e-7, 17, NAN, 1.0, false}};
  e.time = {{10, 11, 12}, 11, 0.1, 1980, "NVIDIA H200", "events, cold L2"};
  e.stockTime = {{20, 22}, 21, 0.1, 1980, "NVIDIA H200", "events, cold L2"};
  e.copyTime = {{9}, 9, 0, 1980, "NVIDIA H200", "events, cold L2"};
  e.speedup = 1.9;
  e.resources = {{"k", 32, 4, 1024, 8}};
  e.images = {{"main", "sm_90a", ".version 8.0", {0, 255, 127}, {1}}};
  e.stockImages = {{"stock", "sm_90a", "", {1, 2}, {}}};
  e.counters = {{"dram_bytes", 1e9}};
  e.tunableTable = {{{{"BLOCK", 128}}, Outcome::Timeout, 5.5}};
  e.chosenTunables = {{"BLOCK", 256}};
  e.deviceSeconds = 1.25;
  e.driverVersion = "580.1";
  e.nvrtcVersion = "13.0";
  e.arch = "sm_90a";
  e.bitwiseRepeatable = false;
  e.profile = sampleProfile();
  return e;
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SAMPLEEVALUATION_H
