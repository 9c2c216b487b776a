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
  e.errors = {{0, "normal", 0.5, INFINITY, 1e-7, 2e-7, 4e-7, 17, NAN, 1.0,
               false, "nan-lost", 5, 6, 7}};
  e.precisionClass = "tf32";
  e.undiscriminating = {{1, "normal", "zeros"}};
  e.inputsWithoutEffect = {0, 2};
  e.time = {{10, 11, 12},
            11,
            0.1,
            1980,
            "NVIDIA H200",
            "events, cold L2",
            5,
            {1980, 1975},
            "precision",
            {{8, 9}, 8.5, 0.2, "events, warm L2"}};
  e.stockTime = {{20, 22}, 21, 0.1, 1980, "NVIDIA H200", "events, cold L2"};
  e.prepareTime = {{30}, 30, 0, 0, "NVIDIA H200", "events, cold L2"};
  e.copyTime = {{9}, 9, 0, 1980, "NVIDIA H200", "events, cold L2"};
  e.speedup = 1.9;
  e.speedupInterval = {1.8, 2.0, 0.95, 3};
  e.incumbentTime = {{15, 16}, 15.5, 0.1, 1980, "NVIDIA H200", "events"};
  e.incumbentInterval = {1.3, 1.5, 0.95, 1};
  e.confirmation = {3, {{1.9, 11, 21, 1980, 12}}, true, "all"};
  e.energy = {Energy::State::Measured,
              "",
              110,
              {0.5, 0.01, 600, 2.5, 9000},
              {0.9, 0.02, 610, 2.5, 5000}};
  e.resources = {{"k", 32, 4, 1024, 8}};
  e.images = {{"main", "sm_90a", ".version 8.0", {0, 255, 127}, {1}}};
  e.stockImages = {{"stock", "sm_90a", "", {1, 2}, {}}};
  e.counters = {{"dram_bytes", 1e9}};
  e.tunableTable = {
      {{{"BLOCK", 128}}, Outcome::Timeout, 5.5, "40 bytes spilled", 2}};
  e.chosenTunables = {{"BLOCK", 256}};
  e.deviceSeconds = 1.25;
  e.phases = {{"compile", 0.25}};
  e.seed = 18446744073709551615u;
  e.isolation = "unmapped";
  e.driverVersion = "580.1";
  e.nvrtcVersion = "13.0";
  e.arch = "sm_90a";
  e.bitwiseRepeatable = false;
  e.device = {"NVIDIA H200", "GPU-1", "0000:17:00.0", "node7", "13.0"};
  e.lostWorkers = {"worker 1 ended while timing: killed by signal 9"};
  e.stock = {true, "why", 12.5, 10.5, {{"steps[0]", "cuDNN 1: a", 3, 4}}};
  e.choices = {{"steps[4]", "cuBLASLt 130100: 66,20", 1.5, 4096}};
  e.profile = sampleProfile();
  e.explanation.distribution = "normal";
  e.explanation.level = 1;
  e.explanation.draw = 3;
  e.explanation.seed = 18446744073709551615u;
  e.explanation.result = 0;
  e.explanation.dtype = "f32";
  e.explanation.shape = {4, 8};
  e.explanation.elements = 32;
  e.explanation.wrong = 2;
  e.explanation.unwritten = 1;
  e.explanation.bound = 1e-6;
  e.explanation.first = {{7, NAN, 1.0, 1.0, INFINITY, true},
                         {9, 2.0, 1.0, 1.0, 1.0, false}};
  e.explanation.patterns = {{"column", "only column 7 of 8"}};
  e.explanation.note = "a note";
  e.checks = {{"simulator", ToolCheck::Outcome::Passed, 1.5, "at rows=4"},
              {"memcheck", ToolCheck::Outcome::NotRun, 0, "not installed"}};
  return e;
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SAMPLEEVALUATION_H
