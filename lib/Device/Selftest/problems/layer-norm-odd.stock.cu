#include <cuda_bf16.h>
__device__ float warpSum(float value) {
  for (int h = 16; h; h /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, h);
  return value;
}
extern "C" __global__ void k(const __nv_bfloat16 *x, __nv_bfloat16 *y,
                             long long cols) {
  const __nv_bfloat16 *row = x + blockIdx.x * cols;
  float sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 32)
    sum += __bfloat162float(row[i]);
  float mean = warpSum(sum) / cols, square = 0;
  for (long long i = threadIdx.x; i < cols; i += 32) {
    float d = __bfloat162float(row[i]) - mean;
    square += d * d;
  }
  float scale = rsqrtf(warpSum(square) / cols + 1e-5f);
  for (long long i = threadIdx.x; i < cols; i += 32)
    y[blockIdx.x * cols + i] =
        __float2bfloat16((__bfloat162float(row[i]) - mean) * scale);
}
