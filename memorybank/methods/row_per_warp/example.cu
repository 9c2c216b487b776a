// Short rows: a warp each, the row in its registers, statistics by shuffles. No
// shared memory, no barrier: warps never wait for each other.
// problem: layer-norm
// expect: ok
// sizes: {"rows": 65536, "cols": 512}
// sizes-sim: {"rows": 11, "cols": 200}
// step: {"grid": "ceildiv(rows, 8)", "args": ["x", "y", {"i64": "rows"}]}
#include "claw_spec.h"
constexpr int cols = claw::cols, items = (cols + 31) / 32;
__device__ float warpSum(float v) {
#pragma unroll
  for (int h = 16; h; h /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, h);
  return v;
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long rows) {
  long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float v[items], sum = 0, square = 0;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    int i = j * 32 + lane;
    v[j] = i < cols ? x[row * cols + i] : 0.0f;
    sum += v[j];
  }
  float mean = warpSum(sum) * (1.0f / cols);
#pragma unroll
  for (int j = 0; j < items; ++j)
    if (j * 32 + lane < cols)
      square += (v[j] - mean) * (v[j] - mean);
  float scale = rsqrtf(warpSum(square) * (1.0f / cols) + 1e-5f);
#pragma unroll
  for (int j = 0; j < items; ++j)
    if (int i = j * 32 + lane; i < cols)
      y[row * cols + i] = (v[j] - mean) * scale;
}
