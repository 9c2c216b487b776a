// All blocks together hold three rows in shared memory; block b owns the same
// columns of each. Partials of row r + 1 travel while row r is applied.
// problem: silu-rms
// expect: ok
// step: {"grid": 128, "cooperative": true, "sharedBytes": "3 * cols / 128 * 4",
//   "args": ["x", "y", "parts", {"i32": "rows"}, {"i32": "cols"}]}
// buffer: {"name": "parts", "sizeBytes": "rows * 128 * 4"}
#include <cooperative_groups.h>
constexpr int slots = 3;
__device__ unsigned shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ float silu(float v) { return v / (1 + expf(-v)); }
__device__ float blockSum(float v) { // the same in all threads
  __shared__ float part[8];
  for (int h = 16; h; h /= 2)
    v += __shfl_xor_sync(~0u, v, h);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < 8; ++w)
    v += part[w];
  return v;
}
extern "C" __global__ void __launch_bounds__(256, 1)
    k(const float *x, float *y, float *parts, int rows, int cols) {
  extern __shared__ __align__(128) float ring[];
  __shared__ alignas(8) unsigned long long full[slots];
  auto grid = cooperative_groups::this_grid();
  int slice = cols / gridDim.x, first = blockIdx.x * slice, i = threadIdx.x;
  auto fetch = [&](int r) { // by thread 0
    unsigned bar = shared(&full[r % slots]);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::"
                 "complete_tx::bytes [%2], [%3], %1, [%0];" ::"r"(bar),
                 "r"(slice * 4), "r"(shared(ring + r % slots * slice)),
                 "l"(x + (long long)r * cols + first)
                 : "memory");
  };
  auto publish = [&](int r) { // this block's part of row r
    for (int done = 0; !done;)
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, "
                   "[%1], %2;\nselp.s32 %0, 1, 0, p;\n}"
                   : "=r"(done)
                   : "r"(shared(&full[r % slots])), "r"(r / slots & 1)
                   : "memory");
    float sum = 0;
    for (int c = i; c < slice; c += 256) {
      float s = silu(ring[r % slots * slice + c]);
      sum += s * s;
    }
    sum = blockSum(sum);
    if (i == 0)
      parts[r * gridDim.x + blockIdx.x] = sum;
    return grid.barrier_arrive();
  };
  if (i == 0) {
    for (int s = 0; s < slots; ++s)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&full[s])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    for (int r = 0; r < min(slots, rows); ++r)
      fetch(r);
  }
  __syncthreads();
  auto there = publish(0);
  for (int r = 0; r < rows; ++r) {
    grid.barrier_wait((decltype(there) &&)there); // all parts of row r are written
    if (r + 1 < rows)
      there = publish(r + 1);
    float sum = blockSum(i < gridDim.x ? parts[r * gridDim.x + i] : 0.0f);
    float scale = rsqrtf(sum / cols + 1e-5f);
    for (int c = i; c < slice; c += 256)
      y[(long long)r * cols + first + c] =
          silu(ring[r % slots * slice + c]) * scale;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads(); // all reads of the slot are over
    if (i == 0 && r + slots < rows)
      fetch(r + slots);
  }
}
