// Rounds the operands of an f32 product to bf16.
// problem: matmul
// expect: mismatch budget
#include <cuda_bf16.h>
__device__ float rounded(float v) {
  return __bfloat162float(__float2bfloat16(v));
}
extern "C" __global__ void k(const float *a, const float *b, float *y, int m,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += rounded(a[row * k + i]) * rounded(b[i * n + col]);
  y[row * n + col] = sum;
}
