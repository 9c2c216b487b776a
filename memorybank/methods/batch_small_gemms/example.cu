// One launch for the whole batch, four products a block: each group of 64
// threads keeps both operands of its product in shared memory and makes 2 x 2
// results a thread.
// problem: bmm-small
// expect: ok
// step: {"grid": "ceildiv(batch, 4)", "block": [64, 4],
//   "args": ["a", "b", "y", {"i32": "batch"}]}
#include "claw_spec.h"
constexpr int inner = claw::k;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int batch) {
  __shared__ float as[4][16][inner + 1], bs[4][inner][16];
  int one = blockIdx.x * 4 + threadIdx.y, t = threadIdx.x, g = threadIdx.y;
  bool in = one < batch;
  if (in)
    for (int i = t; i < 16 * inner; i += 64) {
      as[g][i / inner][i % inner] = a[one * 16ll * inner + i];
      bs[g][i / 16][i % 16] = b[one * 16ll * inner + i];
    }
  __syncthreads();
  if (!in)
    return;
  int r = t / 8 * 2, c = t % 8 * 2;
  float2 top = {}, low = {};
#pragma unroll
  for (int i = 0; i < inner; ++i) {
    float u = as[g][r][i], v = as[g][r + 1][i];
    float2 w = *(const float2 *)&bs[g][i][c];
    top.x += u * w.x, top.y += u * w.y;
    low.x += v * w.x, low.y += v * w.y;
  }
  *(float2 *)(y + one * 256ll + r * 16 + c) = top;
  *(float2 *)(y + one * 256ll + r * 16 + 16 + c) = low;
}
