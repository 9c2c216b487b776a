// Rounds an f32 result to f16 on its way.
// problem: softmax
// expect: mismatch budget
#include <cuda_fp16.h>
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float part[256];
  const float *row = x + blockIdx.x * cols;
  float top = -3.402823466e38f;
  for (long long i = threadIdx.x; i < cols; i += 256)
    top = fmaxf(top, row[i]);
  part[threadIdx.x] = top;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + h]);
    __syncthreads();
  }
  top = part[0];
  __syncthreads();
  float sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += expf(row[i] - top);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] =
        __half2float(__float2half(expf(row[i] - top) / part[0]));
}
