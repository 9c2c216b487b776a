//===- CheckControlTest.cpp - Barriers, deadlock, endless loops, waits ----===//
#include "CheckMachine.h"
#include "SimCuda/Check/BlockChecks.h"

using namespace kclaw::sim;

namespace {

const char *head = "extern \"C\" __global__ void k(const int *in, int *out) {\n"
                   "  int t = threadIdx.x;\n";

TEST(CheckControl, BarrierInABranchOfAWarp) {
  CheckRun run{std::string(head) + R"(
  if (/*hole*/t < 16)
    __syncthreads(); // HERE
  out[t] = in[t];
  __syncthreads();
})"};
  expectFault(run, FaultKind::DivergentBarrier, "/*hole*/t < 16", "t < 64");
}

TEST(CheckControl, BarrierThatAWarpNeverReaches) {
  CheckRun run{std::string(head) + R"(
  if (t < /*hole*/32)
    asm volatile("bar.sync 1, 64;"); // HERE
  __syncthreads();
  out[t] = in[t];
})"};
  expectFault(run, FaultKind::Deadlock, "/*hole*/32", "64");
}

TEST(CheckControl, ThreadsThatEndedAreNotWaitedFor) {
  expectSilent({std::string(head) + R"(
  if (t >= 40)
    return;
  __shared__ int s[64];
  s[t] = in[t];
  __syncthreads();
  out[t] = s[39 - t];
})"});
}

TEST(CheckControl, EndlessLoop) {
  CheckRun run{std::string(head) + R"(
  volatile int *flag = out;
  out[0] = 0;
  while (flag[0] == /*hole*/0) {}
  out[t] = in[t];
})",
               {1},
               {1}};
  expectFault(run, FaultKind::EndlessLoop, "/*hole*/0", "1");
}

TEST(CheckControl, LockTakenByLanesOfOneWarp) {
  expectSilent({R"(
__device__ int lock;
extern "C" __global__ void k(const int *in, int *out) {
  bool done = false;
  while (!done)
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      volatile int *cell = const_cast<int *>(in);
      *cell = *cell + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
})",
                {2},
                {64},
                [](Machine &machine) {
                  machine.options.budget = 0; // polls as long as it takes
                }});
}

// What asynchronous copies use: bytes in flight cannot be read.
TEST(CheckControl, PendingBytesAreAMissingWait) {
  BlockChecks checks(1, 4096, 0);
  checks.beginBlock();
  DeviceMemory memory(1 << 20);
  ptx::Function ast;
  ast.name = "k";
  Function function;
  function.ast = &ast;
  function.code.resize(1);
  LaunchConfig config;
  config.block = {32};
  Grid grid;
  grid.config = &config;
  grid.kernel = &function;
  std::vector<ptx::Module> modules(1);
  auto program = Program::build(std::move(modules), memory);
  grid.program = program.get();
  Block block;
  block.grid = &grid;
  block.checks = &checks;
  Warp w;
  w.block = &block;
  w.active = w.alive = 1;
  uint32_t offsets[lanes] = {sharedSystemBytes + 64};
  Touch read{w, function.code[0], AccessKind::Load, 4, 4, 1, 0};
  checks.markPending(sharedSystemBytes + 64, 64);
  try {
    checks.shared(read, offsets);
    FAIL() << "no fault";
  } catch (const FaultError &error) {
    EXPECT_EQ(error.fault.kind, FaultKind::MissingWait);
  }
  checks.markArrived(sharedSystemBytes + 64, 64);
  EXPECT_NO_THROW(checks.shared(read, offsets));
}

} // namespace
