#include <cuda_fp16.h>
extern "C" __global__ void k(const __half *x, double *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 3.0 * (double)__half2float(x[i]);
}
