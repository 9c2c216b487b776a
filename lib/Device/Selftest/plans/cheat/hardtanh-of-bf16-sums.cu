// Keeps the running sum in bf16, and hides most of that behind the clamp.
// problem: linear-hardtanh-bf16
// expect: mismatch budget
#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, const __nv_bfloat16 *w, __nv_bfloat16 *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  __nv_bfloat16 in16 = __float2bfloat16(0.0f);
  for (int i = 0; i < k; ++i)
    in16 = __float2bfloat16(__bfloat162float(in16) + __bfloat162float(x[row * k + i]) * __bfloat162float(w[i * n + col]));
  float sum = __bfloat162float(in16);
  y[row * n + col] = __float2bfloat16(sum < -1 ? -1 : sum > 1 ? 1 : sum);
}
