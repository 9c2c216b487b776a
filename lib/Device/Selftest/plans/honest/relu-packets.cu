// Packets of 16 bytes, with the spec's header.
// problem: relu
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 1024)",
//   "args": ["x", "y", {"i64": "rows * cols"}]}
#include <cuda_fp16.h>
#include <cstdint>
#include "claw_spec.h"
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  static_assert(claw::arg0_alignment == 16);
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i * 4 < n) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    v.x = relu(v.x);
    v.y = relu(v.y);
    v.z = relu(v.z);
    v.w = relu(v.w);
    reinterpret_cast<float4 *>(y)[i] = v;
  }
}
