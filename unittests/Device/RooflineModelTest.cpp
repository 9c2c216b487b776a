// Roofline arithmetic and occupancy, with invented and published numbers.
#include "RooflineModel.h"
#include "InstructionMix.h"
#include "kernelclaw/Cuda/Occupancy.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

/// An H200 as its driver describes it.
RooflineDevice h200() { return {"sm_90", 132, 1.98e9, 4.8e12, 50e6}; }

TEST(RooflineModel, MemoryBound) {
  RooflineWork work;
  work.flops = 4e8;
  work.minimalBytes = 960e6;
  work.movedBytes = 1200e6;
  work.measuredMicroseconds = 300;
  Roofline roof = rooflineOf(h200(), work);
  EXPECT_EQ(roof.boundBy, "memory");
  EXPECT_NEAR(roof.boundMicroseconds, 200, 1e-9);
  EXPECT_NEAR(roof.headroom, 1.5, 1e-9);
  EXPECT_NEAR(roof.intensity, 4e8 / 1200e6, 1e-12);
  EXPECT_EQ(roof.peakKind, "fp32");
  // 132 x 1.98 GHz x 256: the data sheet's 67 TFLOP/s.
  EXPECT_NEAR(roof.peakFlopsPerSecond, 66.9e12, 0.1e12);
  EXPECT_NEAR(roof.ridge, 13.94, 0.01);
}

TEST(RooflineModel, ResultsMayStayInTheL2) {
  RooflineWork work;
  work.minimalBytes = 100e6;
  work.resultBytes = 60e6;
  EXPECT_NEAR(rooflineOf(h200(), work).boundMicroseconds, 50e6 / 4.8e6, 1e-9);
}

TEST(RooflineModel, ComputeBoundOnTensorCores) {
  RooflineWork work;
  work.flops = 2.0 * 4096 * 4096 * 4096;
  work.minimalBytes = 3 * 2.0 * 4096 * 4096;
  work.dtype = DType::bf16;
  work.tensorPipe = true;
  Roofline roof = rooflineOf(h200(), work);
  EXPECT_EQ(roof.boundBy, "compute");
  EXPECT_EQ(roof.peakKind, "tensor f16");
  EXPECT_NEAR(roof.boundMicroseconds,
              work.flops / roof.peakFlopsPerSecond * 1e6, 1e-9);
  EXPECT_EQ(roof.headroom, 0) << "nothing was measured";
}

TEST(RooflineModel, UnknownArchitectureIsBoundByMemoryOnly) {
  RooflineDevice device = h200();
  device.arch = "sm_75";
  RooflineWork work;
  work.flops = 1e15;
  work.minimalBytes = 480e6;
  Roofline roof = rooflineOf(device, work);
  EXPECT_EQ(roof.peakFlopsPerSecond, 0);
  EXPECT_EQ(roof.boundBy, "memory");
  EXPECT_NEAR(roof.boundMicroseconds, 100, 1e-9);
}

TEST(RooflineModel, TheCodeSaysWhetherMatrixInstructionsCount) {
  struct Row {
    InstructionMix mix;
    std::map<std::string, double> counters;
    bool uses;
  };
  const Row rows[] = {
      {{{"fp32", 9}}, {{"tensorPipe", 0.4}}, false},
      {{{"tensor", 2}}, {{"tensorPipe", 0.4}}, true},
      {{{"fp32", 9}}, {}, false},
      {{}, {{"tensorPipe", 0.4}}, false},
      {{}, {{"tensorPipe", 40}}, true},
      {{}, {}, true},
  };
  for (const Row &row : rows) {
    Profile profile;
    profile.kernels.emplace_back();
    profile.kernels[0].instructionMix = row.mix;
    profile.kernels[0].counters = row.counters;
    EXPECT_EQ(usesTensorPipe(profile), row.uses) << &row - rows;
  }
  EXPECT_TRUE(usesTensorPipe(Profile()));
}

/// The limits of sm_90 (CUDA C++ programming guide, table of compute
/// capabilities).
MultiprocessorLimits hopper() {
  MultiprocessorLimits limits;
  limits.computeMajor = 9;
  limits.multiprocessors = 132;
  limits.threadsPerBlock = 1024;
  limits.threadsPerMultiprocessor = 2048;
  limits.registersPerBlock = limits.registersPerMultiprocessor = 65536;
  limits.sharedBytesPerBlock = 49152;
  limits.sharedBytesPerBlockOptin = 232448;
  limits.sharedBytesPerMultiprocessor = 233472;
  limits.reservedSharedBytesPerBlock = 1024;
  return limits;
}

TEST(Occupancy, NamesWhatLimitsIt) {
  struct Row {
    LaunchNeeds needs;
    int blocks;
    double percent;
    const char *limit;
  };
  const Row rows[] = {
      {{256, 32, 0, 0}, 8, 100, "warps"},
      {{256, 64, 0, 0}, 4, 50, "registers"},
      {{256, 255, 0, 0}, 1, 12.5, "registers"},
      {{256, 32, 0, 100 << 10}, 2, 25, "shared memory"},
      {{256, 32, 0, 227 << 10}, 1, 12.5, "shared memory"},
      {{32, 32, 0, 0}, 32, 50, "blocks"},
  };
  for (const Row &row : rows) {
    Occupancy found = occupancyOf(hopper(), row.needs);
    EXPECT_EQ(found.blocks, row.blocks) << row.limit;
    EXPECT_EQ(found.percent, row.percent) << row.limit;
    EXPECT_NE(found.limit.find(row.limit), std::string::npos)
        << found.limit << " for " << row.limit;
  }
}

TEST(Occupancy, UnknownDeviceIsZero) {
  EXPECT_EQ(occupancyOf({}, {256, 32, 0, 0}).blocks, 0);
  EXPECT_EQ(occupancyOf(hopper(), {}).blocks, 0);
}

} // namespace
