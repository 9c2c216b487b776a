// Rounds once, at the end; stock rounds the product to bf16 too.
// problem: linear-hardtanh-bf16
// expect: ok
#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, const __nv_bfloat16 *w, __nv_bfloat16 *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float part[4] = {};
  for (int i = 0; i < k; ++i)
    part[i % 4] += __bfloat162float(x[row * k + i]) * __bfloat162float(w[i * n + col]);
  float sum = part[0] + part[1] + (part[2] + part[3]);
  y[row * n + col] = __float2bfloat16(sum < -1 ? -1 : sum > 1 ? 1 : sum);
}
