#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                             __nv_bfloat16 *y, int m, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += __bfloat162float(a[row * k + i]) * __bfloat162float(b[i * n + col]);
  y[row * n + col] = __float2bfloat16(sum);
}
