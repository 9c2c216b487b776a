//===- speed.cpp - Thread-instructions a second of the simulator ----------===//
//
// bench_simcuda [repetitions]: a table of kernels, with checks and without, in
// one run (of mma and wgmma the multiply-adds count, not the instructions); the
// median of the repetitions, which take turns so that what else the machine
// does hits all rows alike. "cpu" is by processor time of all threads times the
// number of threads: what a machine with nothing else to do would reach.
//
//===----------------------------------------------------------------------===//
#include "SimCuda/Machine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <numeric>

using namespace kclaw::sim;

namespace {

const char *source = R"(
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
extern "C" __global__ void chain(const float *a, const float *b, float *c,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i], y = b[i];
  for (int k = 0; k < 16; ++k) {
    x = fmaf(x, 0.999f, y);
    y = fminf(fmaxf(y * 1.001f - 0.1f, -4.0f), 4.0f);
  }
  c[i] = x + y;
}
extern "C" __global__ void matmul(const float *a, const float *b, float *c,
                                  int n) {
  __shared__ float as[32][32], bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    as[ty][tx] = a[row * n + k + tx];
    bs[ty][tx] = b[(k + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum = fmaf(as[ty][i], bs[i][tx], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
extern "C" __global__ void mma(const float *a, const float *b, float *c,
                               int n) {
  int t = threadIdx.x;
  float d[4] = {a[t], b[t], 0, 0};
  for (int k = 0; k < n; ++k)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(0x3c003800));
  c[blockIdx.x * blockDim.x + t] = d[0] + d[1] + d[2] + d[3];
}
extern "C" __global__ void wgmma(const float *a, const float *b, float *c,
                                 int n) {
  __shared__ __align__(1024) unsigned tile[1024];
  int t = threadIdx.x;
  for (int i = t; i < 1024; i += blockDim.x)
    tile[i] = 0x3c003800;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  unsigned long long at = __cvta_generic_to_shared(tile) >> 4 & 0x3fff;
  unsigned long long x = at | 8ull << 16 | 16ull << 32, y = x + 128;
  float d[4] = {a[t], b[t], 0, 0};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < n; ++k)
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                 "{%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(x), "l"(y));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  asm volatile("" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  c[blockIdx.x * blockDim.x + t] = d[0] + d[1] + d[2] + d[3];
}
)";

struct Case {
  const char *name, *kernel;
  Dim3 grid, block;
  int n;
  double target; ///< millions a second with checks; 0: none
};

constexpr int elements = 1 << 20, side = 256;
const Case cases[] = {
    {"pointwise add", "add", {elements / 256}, {256}, elements, 600},
    {"pointwise chain", "chain", {elements / 256}, {256}, elements, 0},
    {"tiled matmul", "matmul", {side / 32, side / 32}, {32, 32}, side, 250},
    {"mma, f16", "mma", {64}, {128}, 64, 0},
    {"wgmma, f16", "wgmma", {64}, {128}, 64, 0},
};

uint64_t threadInstructions(const Counts &counts) {
  return std::accumulate(counts.threadInstructions.begin(),
                         counts.threadInstructions.end(), uint64_t(0));
}

/// Multiply-adds where there are any.
double work(const Counts &counts) {
  return double(counts.tensorMultiplyAdds ? counts.tensorMultiplyAdds
                                          : threadInstructions(counts));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv) {
  int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
  std::string ptx = compileCuda(source);
  if (ptx.empty() || repetitions < 1) {
    std::fprintf(stderr, "bench_simcuda needs NVRTC and a count above 0\n");
    return 1;
  }
  Machine machine(ptx);
  std::vector<float> values(elements, 0.5f);
  auto a = machine.upload(values), b = machine.upload(values);
  auto c = machine.upload(values);
  std::vector<double> wall[std::size(cases)][2]; // [checks]
  std::vector<double> busy[std::size(cases)][2];
  for (int r = 0; r < repetitions; ++r)
    for (size_t k = 0; k < std::size(cases); ++k)
      for (bool checks : {true, false}) {
        machine.options.checks = checks;
        std::clock_t cpuBegin = std::clock();
        auto begin = std::chrono::steady_clock::now();
        Counts counts = machine.run(cases[k].kernel, cases[k].grid,
                                    cases[k].block, a, b, c, cases[k].n);
        std::chrono::duration<double> took =
            std::chrono::steady_clock::now() - begin;
        double cpuTook = double(std::clock() - cpuBegin) / CLOCKS_PER_SEC;
        double millions = work(counts) / 1e6;
        wall[k][checks].push_back(millions / took.count());
        busy[k][checks].push_back(millions / cpuTook *
                                  machine.options.hostThreads);
      }
  std::printf(
      "million thread-instructions (mma, wgmma: multiply-adds) a second, "
      "%u host threads, median of %d\n%-16s %9s %9s %9s %9s %7s %7s\n",
      machine.options.hostThreads, repetitions, "kernel", "checked", "cpu",
      "unchecked", "cpu", "ratio", "target");
  for (size_t k = 0; k < std::size(cases); ++k) {
    double on = median(busy[k][1]), off = median(busy[k][0]);
    std::printf("%-16s %9.0f %9.0f %9.0f %9.0f %7.2f %7.0f\n", cases[k].name,
                median(wall[k][1]), on, median(wall[k][0]), off, off / on,
                cases[k].target);
  }
}
