// The row is read once and kept in registers: maximum, sum and result are made
// from there. The number of elements a thread is a constant.
// problem: softmax
// expect: ok
#include "claw_spec.h"
constexpr int threads = 256, items = (claw::cols + threads - 1) / threads;
template <class Op> __device__ float blockAll(float v, Op op) {
  __shared__ float part[threads / 32];
  for (int h = 16; h; h /= 2)
    v = op(v, __shfl_xor_sync(0xffffffffu, v, h));
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[0];
  for (int w = 1; w < threads / 32; ++w)
    v = op(v, part[w]);
  return v;
}
extern "C" __global__ void __launch_bounds__(threads)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float v[items], top = -3.402823466e38f, sum = 0;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    int i = j * threads + threadIdx.x;
    v[j] = i < cols ? x[i] : __int_as_float(0xff800000);
  }
#pragma unroll
  for (int j = 0; j < items; ++j)
    top = fmaxf(top, v[j]);
  top = blockAll(top, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
  for (int j = 0; j < items; ++j)
    sum += v[j] = expf(v[j] - top);
  float scale = 1 / blockAll(sum, [](float a, float b) { return a + b; });
#pragma unroll
  for (int j = 0; j < items; ++j)
    if (int i = j * threads + threadIdx.x; i < cols)
      y[i] = v[j] * scale;
}
