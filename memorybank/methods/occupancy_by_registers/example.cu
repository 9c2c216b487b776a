// Half of the row in registers, half in shared memory, each thread in its own
// slots, without a barrier: half the registers, twice the resident blocks.
// problem: softmax
// expect: ok
// step: {"grid": "rows", "sharedBytes": "ceildiv(cols, 512) * 1024",
//   "args": ["x", "y", {"i64": "cols"}]}
#include "claw_spec.h"
constexpr int items = (claw::cols + 511) / 512; // of each kind
template <class Op> __device__ float blockAll(float v, Op op) {
  __shared__ float part[8];
  for (int h = 16; h; h /= 2)
    v = op(v, __shfl_xor_sync(0xffffffffu, v, h));
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  for (int w = 0; w < 8; ++w)
    v = w ? op(v, part[w]) : part[0];
  return v;
}
extern "C" __global__ void __launch_bounds__(256, 8) // 32 registers at most
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  extern __shared__ float kept[];
  float *own = kept + threadIdx.x, v[items];
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float top = -3.402823466e38f, sum = 0;
  auto at = [](int j) { return j * 256 + (int)threadIdx.x; };
  auto load = [&](int i) {
    return i < cols ? x[i] : __int_as_float(0xff800000);
  };
#pragma unroll
  for (int j = 0; j < items; ++j) {
    v[j] = load(at(j));
    own[j * 256] = load(at(items + j));
    top = fmaxf(top, fmaxf(v[j], own[j * 256]));
  }
  top = blockAll(top, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
  for (int j = 0; j < items; ++j) {
    sum += v[j] = __expf(v[j] - top);
    sum += own[j * 256] = __expf(own[j * 256] - top);
  }
  float scale = 1 / blockAll(sum, [](float a, float b) { return a + b; });
#pragma unroll
  for (int j = 0; j < items; ++j) {
    if (at(j) < cols)
      y[at(j)] = v[j] * scale;
    if (at(items + j) < cols)
      y[at(items + j)] = own[j * 256] * scale;
  }
}
