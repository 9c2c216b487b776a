// Results of f16 below its smallest normal number, where a rounding errs by half
// of a fixed spacing, however small the result; one reciprocal a row.
// problem: softmax-f16-wide
// expect: ok
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half *x, __half *y, long long cols) {
  __shared__ float part[256];
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float most = __half2float(x[threadIdx.x]), sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256) {
    float v = __half2float(x[i]);
    most = most != most || v <= most ? most : v;
  }
  part[threadIdx.x] = most;
  __syncthreads();
  for (int i = 0; i < 256; ++i)
    most = most != most || part[i] <= most ? most : part[i];
  __syncthreads();
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += exp((float)__half2float(x[i]) - most);
  part[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += part[i];
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[i] = __float2half(__expf(__half2float(x[i]) - most) * (1 / sum));
}
