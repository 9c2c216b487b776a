#include "claw_spec.h"

constexpr int threads = 512;
constexpr int vectors = claw::d1 / 4 / threads;

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor_sync(0xffffffff, value, step);
  return value;
}

extern "C" __global__ void rms_norm(const float *x, const float *weight, float *y) {
  const float4 *row = reinterpret_cast<const float4 *>(x + blockIdx.x * claw::d1);
  const float4 *scale = reinterpret_cast<const float4 *>(weight);
  float4 *out = reinterpret_cast<float4 *>(y + blockIdx.x * claw::d1);
  float4 v[vectors];
  float sum = 0;
  for (int i = 0; i < vectors; ++i) {
    v[i] = row[threadIdx.x + i * threads];
    sum += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z + v[i].w * v[i].w;
  }
  __shared__ float partial[threads / 32];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = warp_sum(threadIdx.x % 32 < threads / 32 ? partial[threadIdx.x % 32] : 0.0f);
  float factor = rsqrtf(sum / claw::d1 + 1e-5f);
  for (int i = 0; i < vectors; ++i) {
    float4 s = scale[threadIdx.x + i * threads];
    out[threadIdx.x + i * threads] = make_float4(v[i].x * factor * s.x, v[i].y * factor * s.y, v[i].z * factor * s.z, v[i].w * factor * s.w);
  }
}
