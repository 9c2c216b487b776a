#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, const __nv_bfloat16 *w, double *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += (double)__bfloat162float(x[row * k + i]) * (double)__bfloat162float(w[i * n + col]);
  y[row * n + col] = sum < -1 ? -1 : sum > 1 ? 1 : sum;
}
