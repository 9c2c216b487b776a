#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, const __nv_bfloat16 *w, __nv_bfloat16 *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += __bfloat162float(x[row * k + i]) * __bfloat162float(w[i * n + col]);
  sum = __bfloat162float(__float2bfloat16(sum));
  y[row * n + col] = __float2bfloat16(sum < -1 ? -1 : sum > 1 ? 1 : sum);
}
