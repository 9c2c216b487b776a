// Rows of 128 bytes; packet p of row r lies at p ^ (r % 8), so that the eight
// rows which ldmatrix reads at once fall into different banks, unpadded.
// problem: matmul-bf16
// expect: ok
// sizes-sim: {"m": 64, "n": 64, "k": 128}
// step: {"grid": ["n / 64", "m / 64"], "block": 128,
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
#include <cuda_bf16.h>
using Half = __nv_bfloat16;
__device__ unsigned at(const Half *tile, int row, int packet) { // of 8 elements
  return (unsigned)__cvta_generic_to_shared(tile + row * 64 +
                                            (packet ^ row % 8) * 8);
}
__device__ void fetch(unsigned to, const Half *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
}
extern "C" __global__ void __launch_bounds__(128)
    k(const Half *__restrict__ a, const Half *__restrict__ b,
      Half *__restrict__ y, int n, int k) {
  __shared__ alignas(128) Half as[64 * 64], bs[64 * 64];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = warp / 2 * 32, col = warp % 2 * 32; // of the warp in the tile
  a += blockIdx.y * 64 * k;
  b += blockIdx.x * 64;
  float d[2][4][4] = {};
  for (int t = 0; t < k; t += 64) {
    for (int i = threadIdx.x; i < 64 * 8; i += 128) {
      fetch(at(as, i / 8, i % 8), a + i / 8 * k + t + i % 8 * 8);
      fetch(at(bs, i / 8, i % 8), b + (t + i / 8) * n + i % 8 * 8);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int s = 0; s < 4; ++s) { // 16 of k
      unsigned fa[2][4], fb[2][4];
      for (int r = 0; r < 2; ++r) {
        unsigned from = at(as, row + r * 16 + lane % 16, s * 2 + lane / 16);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                     "{%0,%1,%2,%3}, [%4];"
                     : "=r"(fa[r][0]), "=r"(fa[r][1]), "=r"(fa[r][2]),
                       "=r"(fa[r][3])
                     : "r"(from));
        from = at(bs, s * 16 + lane % 16, col / 8 + r * 2 + lane / 16);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                     "{%0,%1,%2,%3}, [%4];"
                     : "=r"(fb[r][0]), "=r"(fb[r][1]), "=r"(fb[r][2]),
                       "=r"(fb[r][3])
                     : "r"(from));
      }
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 4; ++c)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                       "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(d[r][c][0]), "+f"(d[r][c][1]), "+f"(d[r][c][2]),
                         "+f"(d[r][c][3])
                       : "r"(fa[r][0]), "r"(fa[r][1]), "r"(fa[r][2]),
                         "r"(fa[r][3]), "r"(fb[c / 2][c % 2 * 2]),
                         "r"(fb[c / 2][c % 2 * 2 + 1]));
    }
    __syncthreads();
  }
  y += (blockIdx.y * 64 + row + lane / 4) * n + blockIdx.x * 64 + col +
       lane % 4 * 2;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      *(__nv_bfloat162 *)&y[r * 8 * n + c * 8] = __floats2bfloat162_rn(
          d[r / 2][c][r % 2 * 2], d[r / 2][c][r % 2 * 2 + 1]);
}
