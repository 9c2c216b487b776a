// Packets of 16 bytes: a warp's request is 512 bytes, four full lines. What is
// left, fewer than a packet, goes one by one.
// problem: relu
// expect: ok
// sizes: {"rows": 4095, "cols": 4097}
// sizes-sim: {"rows": 15, "cols": 257}
// step: {"grid": "ceildiv(rows * cols, 1024)",
//   "args": ["x", "y", {"i64": "rows * cols"}]}
#include "claw_spec.h"
static_assert(claw::arg0_alignment >= 16 && claw::res0_alignment >= 16);
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *__restrict__ x,
                             float *__restrict__ y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n / 4) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    v = make_float4(relu(v.x), relu(v.y), relu(v.z), relu(v.w));
    reinterpret_cast<float4 *>(y)[i] = v;
  }
  long long tail = n / 4 * 4 + i;
  if (tail < n)
    y[tail] = relu(x[tail]);
}
