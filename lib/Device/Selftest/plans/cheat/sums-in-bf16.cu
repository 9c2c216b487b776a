// Keeps the running sum in bf16, where it stops growing.
// problem: row-sum
// expect: mismatch budget
#include <cuda_bf16.h>
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  __nv_bfloat16 sum = __float2bfloat16(0.0f);
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum = __hadd(sum, __float2bfloat16(x[blockIdx.x * cols + i]));
  atomicAdd(&total, __bfloat162float(sum));
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = total;
}
