// Softmax of rows that fit into the registers of a warp.
// claw: grid=ceildiv(rows, 4), block=(32, 4)
// claw: requires=cols <= 1024
#include <cmath>

constexpr int packets = 32; // of 32 neighbouring elements, one a lane

__device__ float warpMax(float x) {
  for (int step = 16; step > 0; step /= 2)
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
  return x;
}
__device__ float warpSum(float x) {
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_xor_sync(0xffffffff, x, step);
  return x;
}

extern "C" __global__ void softmax(const float *x, float *y, int rows,
                                   int cols) {
  int row = blockIdx.x * 4 + threadIdx.y;
  if (row >= rows)
    return;
  const float *in = x + (long long)row * cols;
  float *out = y + (long long)row * cols;
  float value[packets];
  float top = -INFINITY;
#pragma unroll
  for (int k = 0; k < packets; ++k) {
    int j = k * 32 + threadIdx.x;
    value[k] = j < cols ? in[j] : -INFINITY;
    top = fmaxf(top, value[k]);
  }
  top = warpMax(top);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < packets; ++k)
    sum += value[k] = expf(value[k] - top);
  float scale = 1 / warpSum(sum);
#pragma unroll
  for (int k = 0; k < packets; ++k)
    if (int j = k * 32 + threadIdx.x; j < cols)
      out[j] = value[k] * scale;
}
