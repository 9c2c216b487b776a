// Four warps, 32 x 32 results each by m16n8k16; ldmatrix brings fragments of
// padded tiles, those of b transposed on the way.
// problem: matmul-bf16
// expect: ok
// sizes-sim: {"m": 64, "n": 64, "k": 64}
// step: {"grid": ["n / 64", "m / 64"], "block": 128,
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
#include <cuda_bf16.h>
using Packet = uint4; // eight bf16
__device__ unsigned shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
extern "C" __global__ void __launch_bounds__(128)
    k(const __nv_bfloat16 *__restrict__ a, const __nv_bfloat16 *__restrict__ b,
      __nv_bfloat16 *__restrict__ y, int n, int k) {
  __shared__ alignas(16) __nv_bfloat16 as[64][24], bs[16][72];
  int i = threadIdx.x, lane = i % 32, warp = i / 32;
  int row = warp / 2 * 32, col = warp % 2 * 32; // of the warp in the tile
  a += blockIdx.y * 64 * k;
  b += blockIdx.x * 64;
  float d[2][4][4] = {};
  for (int t = 0; t < k; t += 16) {
    *(Packet *)&as[i / 2][i % 2 * 8] =
        *(const Packet *)&a[i / 2 * k + t + i % 2 * 8];
    *(Packet *)&bs[i / 8][i % 8 * 8] =
        *(const Packet *)&b[(t + i / 8) * n + i % 8 * 8];
    __syncthreads();
    unsigned fa[2][4], fb[4][2];
    for (int r = 0; r < 2; ++r)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, "
                   "[%4];"
                   : "=r"(fa[r][0]), "=r"(fa[r][1]), "=r"(fa[r][2]),
                     "=r"(fa[r][3])
                   : "r"(shared(&as[row + r * 16 + lane % 16][lane / 16 * 8])));
    for (int c = 0; c < 4; ++c)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, "
                   "[%2];"
                   : "=r"(fb[c][0]), "=r"(fb[c][1])
                   : "r"(shared(&bs[lane % 16][col + c * 8])));
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 4; ++c)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                     "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[r][c][0]), "+f"(d[r][c][1]), "+f"(d[r][c][2]),
                       "+f"(d[r][c][3])
                     : "r"(fa[r][0]), "r"(fa[r][1]), "r"(fa[r][2]),
                       "r"(fa[r][3]), "r"(fb[c][0]), "r"(fb[c][1]));
    __syncthreads();
  }
  y += (blockIdx.y * 64 + row + lane / 4) * n + blockIdx.x * 64 + col +
       lane % 4 * 2;
  for (int r = 0; r < 4; ++r) // a lane holds two neighbours of rows g and g + 8
    for (int c = 0; c < 4; ++c)
      *(__nv_bfloat162 *)&y[r * 8 * n + c * 8] = __floats2bfloat162_rn(
          d[r / 2][c][r % 2 * 2], d[r / 2][c][r % 2 * 2 + 1]);
}
