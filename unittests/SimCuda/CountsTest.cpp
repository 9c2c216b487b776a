//===- CountsTest.cpp - Sectors, conflicts, divergence, chains ------------===//
#include "Machine.h"
#include "SimCuda/Model/Caches.h"

#include <algorithm>

using namespace kclaw::sim;

namespace {

const char *source = R"(
extern "C" __global__ void load(const float *a, float *b, int stride,
                                int offset) {
  b[threadIdx.x] = a[threadIdx.x * stride + offset];
}
extern "C" __global__ void load_wide(const float4 *a, float4 *b) {
  b[threadIdx.x] = a[threadIdx.x];
}
extern "C" __global__ void store(float *b, int stride) {
  b[threadIdx.x * stride] = 1;
}
template <class T> __device__ void banks(T *b, int stride) {
  __shared__ T x[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += 32)
    x[i] = T{};
  __syncthreads();
  b[threadIdx.x] = x[threadIdx.x * stride];
}
extern "C" __global__ void banks4(float *b, int stride) { banks(b, stride); }
extern "C" __global__ void banks8(float2 *b, int stride) { banks(b, stride); }
extern "C" __global__ void banks16(float4 *b, int stride) { banks(b, stride); }
extern "C" __global__ void branches(float *b, int bound) {
  if (threadIdx.x < bound)
    b[threadIdx.x] = sqrtf(b[threadIdx.x]) / 3;
  else
    b[threadIdx.x + 32] = 7;
}
// The whole of a, `times` times, one warp.
extern "C" __global__ void again(const float *a, float *b, int n, int times) {
  float sum = 0;
  for (int k = 0; k < times; ++k)
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += 32)
      sum += a[i];
  b[threadIdx.x] = sum;
}
extern "C" __global__ void chase(const int *next, int *out, int n) {
  int at = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k)
    at = next[at];
  *out = at;
}
extern "C" __global__ void apart(const int *a, int *out) {
  out[0] = a[0] + a[64] + a[128] + a[192];
}
extern "C" __global__ void add(float *b, int mask) {
  atomicAdd(b + (threadIdx.x & mask), 1.0f);
}
extern "C" __global__ void local(float *b, int k) {
  float kept[16];
  for (int i = 0; i < 16; ++i)
    kept[i] = i;
  kept[k & 15] = 2;
  b[threadIdx.x] = kept[(k + 1) & 15];
}
)";

class CountsTest : public testing::Test {
protected:
  Counts load(int stride, int offset) {
    auto a = machine.upload(std::vector<float>(2048));
    auto b = machine.upload(std::vector<float>(64));
    return machine.run("load", {1}, {32}, a, b, stride, offset);
  }
  template <class T>
  std::pair<uint64_t, uint64_t> banks(const char *kernel, int stride) {
    auto b = machine.allocate<T>(32);
    auto whole = [&](int s) { return machine.run(kernel, {1}, {32}, b, s); };
    Counts counts = whole(stride);
    return {counts.sharedLoadWavefronts, counts.sharedLoadIdeal};
  }
  Machine machine{compileCuda(source)};
};
using Pair = std::pair<uint64_t, uint64_t>;

TEST_F(CountsTest, SectorsOfLoads) {
  const std::tuple<int, int, uint64_t> cases[] = {
      {1, 0, 4},              // coalesced
      {1, 1, 5},              // by 4 bytes off
      {2, 0, 8},              // every second word
      {8, 0, 32},             // a sector each
      {32, 0, 32}, {0, 5, 1}, // all the same
  };
  for (auto [stride, offset, sectors] : cases) {
    Counts counts = load(stride, offset);
    EXPECT_EQ(counts.globalLoadRequests, 1u);
    EXPECT_EQ(counts.globalLoadSectors, sectors) << stride << " " << offset;
    EXPECT_EQ(counts.globalLoadBytes, 128u);
    EXPECT_EQ(counts.globalStoreSectors, 4u);
    EXPECT_EQ(counts.partialWriteSectors, 0u);
  }
}
TEST_F(CountsTest, SectorsOfWideLoads) {
  auto a = machine.upload(std::vector<float>(128));
  Counts counts =
      machine.run("load_wide", {1}, {32}, a, machine.allocate<float>(128));
  EXPECT_EQ(counts.globalLoadSectors, 16u);
  EXPECT_EQ(counts.globalLoadBytes, 512u);
}
TEST_F(CountsTest, ScatteredStoresWriteSectorsInPart) {
  auto b = machine.allocate<float>(1024);
  EXPECT_EQ(machine.run("store", {1}, {32}, b, 1).partialWriteSectors, 0u);
  Counts counts = machine.run("store", {1}, {32}, b, 32);
  EXPECT_EQ(counts.globalStoreSectors, 32u);
  EXPECT_EQ(counts.partialWriteSectors, 28u); // 128 bytes would fill four
}
TEST_F(CountsTest, BankConflicts) {
  EXPECT_EQ(banks<float>("banks4", 1), Pair(1, 1));
  EXPECT_EQ(banks<float>("banks4", 2), Pair(2, 1));
  EXPECT_EQ(banks<float>("banks4", 32), Pair(32, 1));
  EXPECT_EQ(banks<float>("banks4", 33), Pair(1, 1));
  EXPECT_EQ(banks<float>("banks4", 0), Pair(1, 1)); // one word for all
}
TEST_F(CountsTest, VectorLoadsTakeTheirPhasesWithoutConflict) {
  EXPECT_EQ(banks<uint64_t>("banks8", 1), Pair(2, 2));
  EXPECT_EQ(banks<uint64_t>("banks8", 2), Pair(4, 2));
  EXPECT_EQ(banks<Pair>("banks16", 1), Pair(4, 4));
  EXPECT_EQ(banks<Pair>("banks16", 2), Pair(8, 4));
}
TEST_F(CountsTest, DivergentBranches) {
  auto b = machine.upload(std::vector<float>(64, 1));
  Counts both = machine.run("branches", {1}, {32}, b, 16);
  EXPECT_EQ(both.divergentBranches, 1u);
  for (int bound : {0, 32}) {
    Counts one = machine.run("branches", {1}, {32}, b, bound);
    EXPECT_EQ(one.divergentBranches, 0u) << bound;
  }
}
TEST_F(CountsTest, TheL2KeepsWhatFits) {
  constexpr int n = 1 << 18; // 1 MiB
  auto a = machine.upload(std::vector<float>(n));
  auto b = machine.allocate<float>(32);
  for (auto [size, hits] : {std::pair(8 << 20, true), {1 << 19, false}}) {
    L2Cache l2{uint64_t(size)};
    machine.l2 = &l2;
    Counts counts = machine.run("again", {1}, {32}, a, b, n, 2);
    EXPECT_EQ(counts.l2ReadSectors, 2u * n / 8);
    uint64_t all = counts.sampledHits + counts.sampledMisses;
    EXPECT_NEAR(double(all), 2.0 * n / 8 / L2Cache::sampling, 0.1 * n / 8);
    if (hits)
      EXPECT_EQ(counts.sampledHits, all / 2);
    else // half of it fits: a line's chance to survive is small
      EXPECT_LT(counts.sampledHits, all / 6);
    EXPECT_EQ(counts.sampledFetched, counts.sampledMisses) << size;
    // It keeps its lines from launch to launch.
    Counts next = machine.run("again", {1}, {32}, a, b, n, 1);
    if (hits)
      EXPECT_EQ(next.sampledHits, all / 2);
  }
}
TEST_F(CountsTest, MemoryReads64Bytes) {
  constexpr int count = 1 << 14;
  auto a = machine.upload(std::vector<float>(32 * 8 * size_t(count)));
  auto b = machine.allocate<float>(32);
  L2Cache l2{1 << 20};
  machine.l2 = &l2;
  uint64_t misses = 0, fetched = 0;
  for (int i = 0; i < 512; ++i) { // a line each
    Counts counts = machine.run("load", {1}, {32}, a, b, 32, i * 1024);
    misses += counts.sampledMisses;
    fetched += counts.sampledFetched;
  }
  EXPECT_GT(misses, 512u);
  EXPECT_EQ(fetched, 2 * misses);
}
TEST_F(CountsTest, TheL1KeepsWhatABlockReadsAgain) {
  auto a = machine.upload(std::vector<float>(1024)); // 4 KiB
  auto b = machine.allocate<float>(32);
  L2Cache l2{1 << 20};
  machine.l2 = &l2;
  machine.l1Bytes = 16 << 10;
  Counts counts = machine.run("again", {1}, {32}, a, b, 1024, 3);
  EXPECT_EQ(counts.l1HitSectors, 2u * 128);
  EXPECT_EQ(counts.l2ReadSectors, 128u);
}
TEST_F(CountsTest, ASectorGoesToMemoryOnceALaunch) {
  auto b = machine.allocate<float>(1 << 16);
  L2Cache l2{1 << 20};
  machine.l2 = &l2;
  uint64_t written = 0, writes = 0;
  for (int i = 0; i < 2; ++i) {
    l2.clean();
    for (int k = 0; k < 2; ++k) {
      Counts counts = machine.run("store", {1}, {1024}, b, 8);
      written += counts.sampledWritten;
      writes += counts.sampledWrites;
    }
  }
  EXPECT_GT(written, 0u);
  EXPECT_EQ(writes, 2 * written);
}
TEST_F(CountsTest, AtomicsOnOneAddressTakeTurns) {
  auto b = machine.upload(std::vector<float>(32));
  L2Cache l2{1 << 20};
  machine.l2 = &l2;
  auto turns = [&](int mask) {
    Counts counts = machine.run("add", {1}, {32}, b, mask);
    EXPECT_EQ(counts.atomicRequests, 1u);
    return *std::ranges::max_element(counts.atomicSlices);
  };
  EXPECT_EQ(turns(0), 32u);
  EXPECT_EQ(turns(31), 4u); // four sectors of eight addresses
  EXPECT_EQ(turns(1), 16u);
}
TEST_F(CountsTest, LocalMemoryInterleavesTheLanes) {
  auto b = machine.upload(std::vector<float>(32));
  Counts counts = machine.run("local", {1}, {32}, b, 3);
  ASSERT_GT(counts.localRequests, 0u);
  EXPECT_EQ(32 * counts.localSectors, counts.localBytes);
}
TEST_F(CountsTest, ChainsOfLoads) {
  auto next = machine.upload(std::vector<int>(256, 1));
  auto out = machine.allocate<int>(1);
  EXPECT_EQ(machine.run("chase", {1}, {1}, next, out, 10).pathLoads, 10u);
  EXPECT_EQ(machine.run("chase", {1}, {1}, next, out, 90).pathLoads, 90u);
  // Four loads at once, and the slowest block of each counts.
  EXPECT_EQ(machine.run("apart", {1}, {1}, next, out).pathLoads, 1u);
}

} // namespace
