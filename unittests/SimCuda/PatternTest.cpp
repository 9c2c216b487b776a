//===- PatternTest.cpp - Sectors and bank passes --------------------------===//
#include "SimCuda/Exec/Pattern.h"
#include "Machine.h"

#include <functional>

using namespace kclaw::sim;

namespace {

std::array<uint32_t, lanes>
addresses(const std::function<uint32_t(uint32_t)> &f) {
  std::array<uint32_t, lanes> result;
  for (uint32_t l = 0; l < lanes; ++l)
    result[l] = f(l);
  return result;
}

uint32_t wavefronts(unsigned bytes, const std::function<uint32_t(uint32_t)> &f,
                    uint32_t active = allLanes) {
  return sharedWavefronts(addresses(f).data(), active, bytes);
}
uint32_t sectors(unsigned bytes, const std::function<uint32_t(uint32_t)> &f,
                 uint32_t active = allLanes) {
  return sectorCount(addresses(f).data(), active, bytes);
}

TEST(Pattern, BankPasses) {
  EXPECT_EQ(wavefronts(4, [](uint32_t l) { return 4 * l; }), 1u);
  EXPECT_EQ(wavefronts(4, [](uint32_t) { return 64u; }), 1u); // broadcast
  EXPECT_EQ(wavefronts(4, [](uint32_t l) { return 8 * l; }), 2u);
  EXPECT_EQ(wavefronts(4, [](uint32_t l) { return 128 * l; }), 32u);
  EXPECT_EQ(wavefronts(4, [](uint32_t l) { return 132 * l; }), 1u); // padded
  EXPECT_EQ(wavefronts(4, [](uint32_t l) { return 128 * (l / 8); }), 4u);
  EXPECT_EQ(wavefronts(2, [](uint32_t l) { return 2 * l; }), 1u);
  EXPECT_EQ(wavefronts(4, [](uint32_t l) { return 128 * l; }, 0xff), 8u);
}

TEST(Pattern, WideAccessesGoInPhases) {
  EXPECT_EQ(wavefronts(8, [](uint32_t l) { return 8 * l; }), 2u);
  EXPECT_EQ(wavefronts(16, [](uint32_t l) { return 16 * l; }), 4u);
  EXPECT_EQ(wavefronts(8, [](uint32_t l) { return 16 * l; }), 4u);
  EXPECT_EQ(wavefronts(16, [](uint32_t l) { return 16 * l; }, 0xff), 1u);
}

TEST(Pattern, Sectors) {
  EXPECT_EQ(sectors(4, [](uint32_t l) { return 4 * l; }), 4u);
  EXPECT_EQ(sectors(4, [](uint32_t l) { return 4 * l + 4; }), 5u);
  EXPECT_EQ(sectors(4, [](uint32_t l) { return 4 * (31 - l); }), 4u);
  EXPECT_EQ(sectors(4, [](uint32_t l) { return 32 * l; }), 32u);
  EXPECT_EQ(sectors(4, [](uint32_t) { return 96u; }), 1u);
  EXPECT_EQ(sectors(16, [](uint32_t l) { return 16 * l; }), 16u);
  EXPECT_EQ(sectors(1, [](uint32_t l) { return l; }), 1u);
  EXPECT_EQ(sectors(4, [](uint32_t l) { return 64 * (l * 7 % 32); }), 32u);
  EXPECT_EQ(sectors(8, [](uint32_t l) { return 8 * l; }, 0xf), 1u);
}

// A column of a 32 x 32 tile: 32 passes, or one when rows are padded; generic
// addresses count like those of the window.
TEST(Pattern, CountsOfAKernel) {
  std::string ptx = compileCuda(R"(
template <int pitch> __device__ void transpose(const float *in, float *out) {
  __shared__ float s[32][pitch];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
extern "C" __global__ void plain(const float *in, float *out) {
  transpose<32>(in, out);
}
extern "C" __global__ void padded(const float *in, float *out) {
  transpose<33>(in, out);
}
extern "C" __global__ void generic(const float *in, float *out) {
  __shared__ float s[1024];
  float *p = in[0] < 2e9f ? s : out;
  p[threadIdx.y * 32 + threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = p[992 - threadIdx.y * 32 + threadIdx.x];
})");
  Machine machine(ptx);
  auto in = machine.upload(std::vector<float>(1024, 1.0f));
  auto out = machine.allocate<float>(1024);
  Counts plain = machine.run("plain", {1}, {32, 32}, in, out);
  Counts padded = machine.run("padded", {1}, {32, 32}, in, out);
  Counts generic = machine.run("generic", {1}, {32, 32}, in, out);
  EXPECT_EQ(plain.sharedStoreWavefronts, 32u);
  EXPECT_EQ(plain.sharedLoadRequests, 32u);
  EXPECT_EQ(plain.sharedLoadWavefronts, 1024u);
  EXPECT_EQ(padded.sharedLoadWavefronts, 32u);
  EXPECT_EQ(plain.globalLoadSectors, 128u);
  EXPECT_EQ(generic.sharedLoadRequests, 32u);
  EXPECT_EQ(generic.sharedStoreWavefronts, 32u);
  EXPECT_EQ(generic.globalStoreRequests, 32u);
}

} // namespace
