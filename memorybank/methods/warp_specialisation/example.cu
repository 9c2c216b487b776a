// A ninth warp only asks for tiles, by TMA; eight multiply. Two mbarriers a
// stage, full and empty, take the place of block-wide barriers.
// problem: matmul
// expect: ok
// sizes-sim: {"k": 200}
// step: {"grid": ["n / 32", "m / 32"], "block": 288,
//   "args": [{"tensorMap": "am"}, {"tensorMap": "bm"}, "y", {"i32": "n"},
//   {"i32": "k"}]}
// plan: {"tensorMaps": [
//   {"name": "am", "buffer": "a", "element": "f32", "dims": ["k", "m"],
//    "box": [32, 32]},
//   {"name": "bm", "buffer": "b", "element": "f32", "dims": ["n", "k"],
//    "box": [32, 32]}]}
#include <cuda.h>
constexpr int stages = 4, consumers = 8;
__device__ unsigned shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void wait(unsigned long long &bar, int parity) {
  for (int done = 0; !done;)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, "
                 "[%1], %2;\nselp.s32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(shared(&bar)), "r"(parity)
                 : "memory");
}
__device__ void load(float *to, const CUtensorMap &map, int x, int y,
                     unsigned bar) { // zeros behind the edge
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
      "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared(to)),
      "l"(&map), "r"(x), "r"(y), "r"(bar)
      : "memory");
}
extern "C" __global__ void __launch_bounds__(288)
    k(const __grid_constant__ CUtensorMap am,
      const __grid_constant__ CUtensorMap bm, float *__restrict__ y, int n,
      int k) {
  __shared__ alignas(128) float as[stages][32][32], bs[stages][32][32];
  __shared__ alignas(8) unsigned long long full[stages], empty[stages];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = (k + 31) / 32;
  int row = blockIdx.y * 32, col = blockIdx.x * 32;
  if (threadIdx.x < stages) {
    asm volatile(
        "mbarrier.init.shared.b64 [%0], 1;\n"
        "mbarrier.init.shared.b64 [%1], %2;\n"
        "fence.mbarrier_init.release.cluster;" ::"r"(shared(&full[lane])),
        "r"(shared(&empty[lane])), "r"(consumers)
        : "memory");
  }
  __syncthreads(); // before the roles part
  if (warp == consumers) {
    for (int t = 0; lane == 0 && t < tiles; ++t) {
      int s = t % stages;
      wait(empty[s], (t / stages & 1) ^ 1); // the first round passes at once
      unsigned bar = shared(&full[s]);
      asm volatile(
          "mbarrier.arrive.expect_tx.shared.b64 _, [%0], 8192;" ::"r"(bar)
          : "memory");
      load(as[s][0], am, t * 32, row, bar);
      load(bs[s][0], bm, col, t * 32, bar);
    }
    return;
  }
  float sum[4] = {};
  for (int t = 0; t < tiles; ++t) {
    int s = t % stages;
    wait(full[s], t / stages & 1);
#pragma unroll
    for (int i = 0; i < 32; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        sum[j] += as[s][warp + 8 * j][i] * bs[s][i][lane];
    __syncwarp();
    if (lane == 0)
      asm volatile(
          "mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared(&empty[s]))
          : "memory");
  }
#pragma unroll
  for (int j = 0; j < 4; ++j)
    y[(row + warp + 8 * j) * n + col + lane] = sum[j];
}
