// Accumulates a product of bf16 in bf16, where f32 is asked for.
// problem: matmul-bf16
// expect: mismatch budget
#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                             __nv_bfloat16 *y, int m, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  __nv_bfloat16 sum = __float2bfloat16(0.0f);
  for (int i = 0; i < k; ++i)
    sum = __hadd(sum, __hmul(a[row * k + i], b[i * n + col]));
  y[row * n + col] = sum;
}
