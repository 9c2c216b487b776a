//===- CheckGlobalTest.cpp - Races and undefined bytes in global memory ---===//
#include "CheckMachine.h"

using namespace kclaw::sim;

namespace {

const char *head = "extern \"C\" __global__ void k(const int *in, int *out) {\n"
                   "  int t = threadIdx.x, b = blockIdx.x;\n"
                   "  int i = b * blockDim.x + t;\n";

TEST(CheckGlobal, BytesThatNobodyWrote) {
  CheckRun run{std::string(head) + R"(
  out[i] = in[i];
  out[i] = out[i + /*hole*/1] + 1; // HERE
})",
               {4},
               {64}};
  expectFault(run, FaultKind::Uninitialised, "/*hole*/1", "0");
}

TEST(CheckGlobal, BlocksReadEachOther) {
  CheckRun run{std::string(head) + R"(
  int *x = const_cast<int *>(in);
  int v = x[i + /*hole*/1];
  x[i] = v + 1; // HERE
})",
               {8},
               {64},
               [](Machine &machine) { machine.options.hostThreads = 1; }};
  run.source.replace(run.source.find(" // HERE"), 8, "");
  expectFault(run, FaultKind::Race, "/*hole*/1", "0");
}

TEST(CheckGlobal, ThreadsOfABlockNeedABarrier) {
  CheckRun run{std::string(head) + R"(
  int *x = const_cast<int *>(in);
  x[i] = t; /*hole*/ int v = x[b * 64 + 63 - t]; // HERE
  __syncthreads();
  out[i] = v;
})",
               {2},
               {64}};
  expectFault(run, FaultKind::Race, "/*hole*/", "__syncthreads();");
}

TEST(CheckGlobal, BlocksWriteDifferentValues) {
  CheckRun run{std::string(head) + R"(
  if (t == 0)
    out[0] = /*hole*/b; // HERE
})",
               {8},
               {64}};
  expectFault(run, FaultKind::Race, "/*hole*/b", "7");
}

TEST(CheckGlobal, ShortsOfNeighbouringBlocksDoNotRace) {
  expectSilent({std::string(head) + R"(
  short *o = reinterpret_cast<short *>(out) + 1;
  o[i] = short(in[i]);
  o[i] = o[i] + 1;
})",
                {9},
                {33}});
}

TEST(CheckGlobal, AtomicsDoNotRace) {
  CheckRun run{std::string(head) + R"(
  int *x = const_cast<int *>(in);
  /*hole*/atomicAdd(&x[t & 3], 1);
})",
               {8},
               {64}};
  expectSilent(run);
}

const char *lastBlock = R"(
__device__ unsigned arrived;
extern "C" __global__ void k(const int *in, int *out) {
  __shared__ bool last;
  int t = threadIdx.x, b = blockIdx.x;
  out[1 + b * 64 + t] = in[b * 64 + t];
  /*fence*/__threadfence();
  __syncthreads();
  if (t == 0)
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last && t == 0) {
    int sum = 0;
    for (int i = 0; i < 64 * gridDim.x; ++i)
      sum += out[1 + i];
    out[0] = sum;
  }
})";

TEST(CheckGlobal, LastBlockPatternIsSilentWithItsFence) {
  CheckRun run{lastBlock, {8}, {64}};
  expectSilent(run);
  run.source.replace(run.source.find("/*fence*/__threadfence();"), 25, "");
  auto fault = run();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::Race) << fault->text();
}

TEST(CheckGlobal, LookBackIsSilent) {
  expectSilent({R"(
__device__ volatile int flag[16];
__device__ int total[16];
extern "C" __global__ void k(const int *in, int *out) {
  int t = threadIdx.x, b = blockIdx.x;
  if (t == 0) {
    int before = 0;
    if (b > 0) {
      while (flag[b - 1] == 0) {}
      __threadfence();
      before = total[b - 1];
    }
    total[b] = before + in[b];
    __threadfence();
    flag[b] = 1;
    out[b] = total[b];
  }
})",
                {16},
                {32},
                [](Machine &machine) {
                  machine.options.budget = 0; // polls as long as it takes
                }});
}

TEST(CheckGlobal, LaunchesAreOrdered) {
  Machine machine(compileCuda(R"(
extern "C" __global__ void k(const int *in, int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = in[255 - blockIdx.x * 64 - threadIdx.x];
})"));
  auto x = machine.upload(std::vector<int>(256, 3));
  auto y = machine.allocate<int>(256);
  machine.run("k", {4}, {64}, x, y);
  machine.run("k", {4}, {64}, y, x);
  EXPECT_EQ(x[0], 3);
}

} // namespace
