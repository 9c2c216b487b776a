//===- CheckSharedTest.cpp - Races and undefined bytes in shared memory ---===//
#include "CheckMachine.h"

using namespace kclaw::sim;

namespace {

const char *head = "extern \"C\" __global__ void k(const int *in, int *out) {\n"
                   "  int t = threadIdx.x;\n";

TEST(CheckShared, ReadBehindAWriteOfAnotherWarp) {
  CheckRun run{std::string(head) + R"(
  __shared__ int s[64];
  s[t] = 0;
  __syncthreads();
  s[t] = in[t]; /*hole*/ out[t] = s[63 - t]; // HERE
})"};
  expectFault(run, FaultKind::Race, "/*hole*/", "__syncthreads();");
}

TEST(CheckShared, ReadBehindAWriteOfAnotherLane) {
  CheckRun run{std::string(head) + R"(
  __shared__ int s[32];
  s[t] = in[t];
  /*hole*/
  out[t] = s[31 - t]; // HERE
})",
               {1},
               {32}};
  expectFault(run, FaultKind::Race, "/*hole*/", "__syncwarp();");
}

TEST(CheckShared, WriteBehindARead) {
  CheckRun run{std::string(head) + R"(
  __shared__ int s[64];
  s[t] = in[t];
  __syncthreads();
  int v = s[(t + 32) % 64]; /*hole*/ s[t] = v + 1; // HERE
  __syncthreads();
  out[t] = s[t];
})"};
  expectFault(run, FaultKind::Race, "/*hole*/", "__syncthreads();");
}

TEST(CheckShared, DifferentValuesInOnePlace) {
  CheckRun run{std::string(head) + R"(
  __shared__ int s[2];
  s[t / 64] = in[/*hole*/t]; // HERE
  __syncthreads();
  out[t] = s[0];
})"};
  expectFault(run, FaultKind::Race, "/*hole*/t", "0 * t");
}

TEST(CheckShared, HalfWordsOfNeighboursDoNotRace) {
  expectSilent({std::string(head) + R"(
  __shared__ short s[64];
  __shared__ char c[64];
  s[t] = short(in[t]);
  c[t] = char(in[t]);
  s[t] = s[t] + 1;
  c[t] = c[t] + 1;
  __syncthreads();
  out[t] = s[63 - t] + c[(t + 5) % 64];
})"});
  CheckRun bad{std::string(head) + R"(
  __shared__ short s[64];
  s[t] = 0;
  __syncthreads();
  s[t] = short(in[t]); /*hole*/ out[t] = s[63 - t]; // HERE
})"};
  expectFault(bad, FaultKind::Race, "/*hole*/", "__syncthreads();");
}

TEST(CheckShared, WarpShufflesOrderLanes) {
  expectSilent({std::string(head) + R"(
  __shared__ int s[64];
  s[t] = in[t];
  int v = __shfl_xor_sync(~0u, t, 1);
  out[t] = s[t ^ 1] + v;
})"});
  expectSilent({std::string(head) + R"(
  __shared__ int s[64];
  unsigned half = t & 16 ? 0xffff0000u : 0xffffu;
  s[t] = in[t];
  __syncwarp(half);
  out[t] = s[t ^ 3];
})"});
}

TEST(CheckShared, AtomicsDoNotRaceWithEachOther) {
  CheckRun run{std::string(head) + R"(
  __shared__ int s[4];
  if (t < 4)
    s[t] = 0;
  __syncthreads();
  atomicAdd(&s[t & 3], 1);
  /*hole*/
  out[t] = s[t & 3]; // HERE
})"};
  expectFault(run, FaultKind::Race, "/*hole*/", "__syncthreads();");
}

TEST(CheckShared, TreeReductionNeedsItsBarriers) {
  CheckRun run{std::string(head) + R"(
  __shared__ int s[256];
  s[t] = in[t];
  __syncthreads();
  for (int n = 128; n > 0; n >>= 1) {
    if (t < n)
      s[t] += s[t + n]; // HERE
    /*hole*/
  }
  if (t == 0)
    out[0] = s[0];
})",
               {2},
               {256}};
  expectFault(run, FaultKind::Race, "/*hole*/", "__syncthreads();");
}

TEST(CheckShared, NamedBarriersOrderTheirWarps) {
  const char *body = R"(
  __shared__ int s[64];
  if (t >= 32) {
    s[t - 32] = in[t];
    __threadfence_block();
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    /*hole*/
    out[t] = s[t]; // HERE
  }
})";
  CheckRun run{std::string(head) + body};
  run.source.replace(run.source.find("/*hole*/"), 8,
                     "asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");");
  expectSilent(run);
}

TEST(CheckShared, BytesThatNobodyWrote) {
  CheckRun run{std::string(head) + R"(
  __shared__ int s[128];
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t + /*hole*/1]; // HERE
})"};
  expectFault(run, FaultKind::Uninitialised, "/*hole*/1", "0");
  // The next block finds nothing of the last one's.
  CheckRun blocks{std::string(head) + R"(
  __shared__ int s[64];
  if (/*hole*/blockIdx.x == 0)
    s[t] = in[t];
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[t]; // HERE
})",
                  {4},
                  {64},
                  [](Machine &machine) { machine.options.hostThreads = 1; }};
  expectFault(blocks, FaultKind::Uninitialised, "/*hole*/blockIdx.x == 0",
              "true");
}

TEST(CheckShared, DynamicSharedMemoryIsCheckedLikewise) {
  CheckRun run{R"(extern "C" __global__ void k(const int *in, int *out) {
  extern __shared__ float4 s[];
  int t = threadIdx.x;
  s[t] = make_float4(0, 0, 0, 0);
  __syncthreads();
  s[t].x = in[t]; /*hole*/ out[t] = int(s[63 - t].x); // HERE
})",
               {1},
               {64},
               [](Machine &machine) { machine.dynamicShared = 64 * 16; }};
  expectFault(run, FaultKind::Race, "/*hole*/", "__syncthreads();");
}

TEST(CheckShared, LocalMemoryThatNobodyWrote) {
  CheckRun run{std::string(head) + R"(
  int stack[16];
  for (int i = 0; i < /*hole*/in[3] + 5; ++i)
    stack[(i * 7 + in[t]) & 15] = i;
  out[t] = stack[in[t] & 15] + stack[in[t + 8] & 15]; // HERE
})"};
  expectFault(run, FaultKind::Uninitialised, "/*hole*/in[3] + 5", "16");
}

} // namespace
