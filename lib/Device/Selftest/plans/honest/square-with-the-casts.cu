// Rounds where the region rounds, in other words.
// problem: square-f16
// expect: ok
#include <cuda_fp16.h>
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) {
    float h = __half2float(__float2half_rn(x[i]));
    y[i] = __half2float(__float2half_rn(h * h));
  }
}
