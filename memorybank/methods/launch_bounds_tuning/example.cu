// Threads a block and blocks a multiprocessor are tunables: the compiler gets a
// bound on registers for each, and the judge keeps what is fastest.
// problem: layer-norm
// expect: ok
// plan: {"tunables": [{"name": "THREADS", "values": [128, 256, 512]},
//   {"name": "RESIDENT", "values": [1, 2, 4]}],
//   "constraint": "THREADS * RESIDENT <= 1024"}
// step: {"grid": "rows", "block": "THREADS",
//   "args": ["x", "y", {"i64": "cols"}]}
#include "claw_spec.h"
constexpr int items = (claw::cols + THREADS - 1) / THREADS;
__device__ float blockSum(float v) {
  __shared__ float part[THREADS / 32];
  for (int h = 16; h; h /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, h);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < THREADS / 32; ++w)
    v += part[w];
  return v;
}
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  float v[items], sum = 0, square = 0;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    int i = j * THREADS + threadIdx.x;
    sum += v[j] = i < cols ? x[blockIdx.x * cols + i] : 0.0f;
  }
  float mean = blockSum(sum) / cols;
#pragma unroll
  for (int j = 0; j < items; ++j)
    if (j * THREADS + threadIdx.x < cols)
      square += (v[j] - mean) * (v[j] - mean);
  float scale = rsqrtf(blockSum(square) / cols + 1e-5f);
#pragma unroll
  for (int j = 0; j < items; ++j)
    if (int i = j * THREADS + threadIdx.x; i < cols)
      y[blockIdx.x * cols + i] = (v[j] - mean) * scale;
}
