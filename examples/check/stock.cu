// What has to be beaten: three passes, a block of 128 threads a row.
// claw: grid=rows, block=128
#include <cmath>

__device__ float reduce(float value, bool sum) {
  __shared__ float parts[128];
  __syncthreads();
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      float other = parts[threadIdx.x + half];
      parts[threadIdx.x] = sum ? parts[threadIdx.x] + other
                               : fmaxf(parts[threadIdx.x], other);
    }
    __syncthreads();
  }
  return parts[0];
}
extern "C" __global__ void stock(const float *x, float *y, int rows, int cols) {
  const float *in = x + (long long)blockIdx.x * cols;
  float *out = y + (long long)blockIdx.x * cols;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < cols; j += 128)
    top = fmaxf(top, in[j]);
  top = reduce(top, false);
  float sum = 0;
  for (int j = threadIdx.x; j < cols; j += 128)
    sum += expf(in[j] - top);
  sum = reduce(sum, true);
  for (int j = threadIdx.x; j < cols; j += 128)
    out[j] = expf(in[j] - top) / sum;
}
