#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, double *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = -(double)__bfloat162float(x[i]);
}
