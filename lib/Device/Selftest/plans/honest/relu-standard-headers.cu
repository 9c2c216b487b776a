// The headers of the standard library and of the toolkit that sources like to
// name.
// problem: relu
// expect: ok
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, int64_t n) {
  auto group = cooperative_groups::this_thread_block();
  int64_t i = blockIdx.x * 256ll + group.thread_rank();
  if (i < n)
    y[i] = x[i] == INFINITY ? INFINITY : relu(x[i]);
}
