// One warpgroup, 64 x 64 results. TMA fills three stages of swizzled tiles;
// wgmma reads them there, and products of two tiles are in flight.
// problem: matmul-bf16
// expect: ok
// sizes-sim: {"m": 64, "n": 64, "k": 320}
// step: {"grid": ["n / 64", "m / 64"], "block": 128, "sharedBytes": 50176,
//   "args": [{"tensorMap": "as"}, {"tensorMap": "bs"}, "y", {"i32": "n"},
//   {"i32": "k"}]}
// plan: {"tensorMaps": [
//   {"name": "as", "buffer": "a", "element": "bf16", "dims": ["k", "m"],
//    "box": [64, 64], "swizzle": 128},
//   {"name": "bs", "buffer": "b", "element": "bf16", "dims": ["n", "k"],
//    "box": [64, 64], "swizzle": 128}]}
#include <cuda.h>
#include <cuda_bf16.h>
constexpr int stages = 3, tileBytes = 64 * 64 * 2;
__device__ unsigned shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ unsigned long long
descriptor(unsigned at) { // groups of 8 rows: 1 KiB
  return (at & 0x3ffff) >> 4 | 64ull << 16 | 64ull << 32 | 1ull << 62;
}
__device__ void load(unsigned to, const CUtensorMap &map, int x, int y,
                     unsigned bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
               "l"(&map), "r"(x), "r"(y), "r"(bar)
               : "memory");
}
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
__device__ void wgmma(float (&d)[32], unsigned a, unsigned b) {
  asm volatile( // the last 1: b's tile has n innermost
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"
      "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, "
      "1;"
      : FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24),
        FOUR(28)
      : "l"(descriptor(a)), "l"(descriptor(b)));
}
extern "C" __global__ void __launch_bounds__(128)
    k(const __grid_constant__ CUtensorMap as,
      const __grid_constant__ CUtensorMap bs, __nv_bfloat16 *y, int n, int k) {
  extern __shared__ char memory[];
  __shared__ alignas(8) unsigned long long full[stages];
  unsigned base = (shared(memory) + 1023) & ~1023u; // as the swizzle wants it
  int i = threadIdx.x, tiles = k / 64, row = blockIdx.y * 64;
  auto fetch = [&](int t) {
    unsigned bar = shared(&full[t % stages]);
    unsigned to = base + t % stages * 2 * tileBytes;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar),
                 "r"(2 * tileBytes)
                 : "memory");
    load(to, as, t * 64, row, bar);
    load(to + tileBytes, bs, blockIdx.x * 64, t * 64, bar);
  };
  if (i == 0) {
    for (int s = 0; s < stages; ++s)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&full[s])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    for (int t = 0; t < min(stages, tiles); ++t)
      fetch(t);
  }
  __syncthreads();
  float d[32] = {};
  for (int t = 0; t < tiles; ++t) {
    for (int done = 0; !done;)
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, "
                   "[%1], %2;\nselp.s32 %0, 1, 0, p;\n}"
                   : "=r"(done)
                   : "r"(shared(&full[t % stages])), "r"(t / stages & 1)
                   : "memory");
    unsigned at = base + t % stages * 2 * tileBytes;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int s = 0; s < 4; ++s) // 16 of k: 32 bytes to the right, 16 rows down
      wgmma(d, at + s * 32, at + tileBytes + s * 2048);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    __syncthreads(); // the stage before is read by nobody any more
    if (i == 0 && t >= 1 && t - 1 + stages < tiles)
      fetch(t - 1 + stages);
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  y += (row + i / 32 * 16 + i % 32 / 4) * n + blockIdx.x * 64 + i % 4 * 2;
  for (int c = 0; c < 16; ++c) // rows g and g + 8 of the warp's 16
    *(__nv_bfloat162 *)&y[c % 2 * 8 * n + c / 2 * 8] =
        __floats2bfloat162_rn(d[c * 2], d[c * 2 + 1]);
}
