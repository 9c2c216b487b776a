// Counts more than 2^31 elements with an int, which turns negative.
// problem: negate-huge
// expect: mismatch not-written
// gpu-only: needs 2^31 elements
// job: {"timeoutSeconds": 120}
#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, __nv_bfloat16 *y,
                             long long n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 0 && i < n)
    y[i] = __hneg(x[i]);
}
