#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, __nv_bfloat16 *y,
                             long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __hneg(x[i]);
}
