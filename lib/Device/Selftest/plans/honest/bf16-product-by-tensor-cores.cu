// Tensor cores through mma.h: f32 sums in another order than stock's.
// problem: matmul-bf16
// expect: ok
// step: {"grid": ["n / 16", "m / 16"], "block": 32,
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                             __nv_bfloat16 *y, int n, int k) {
  __shared__ float tile[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  int row = blockIdx.y * 16, col = blockIdx.x * 16;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + col, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32)
    y[(row + i / 16) * n + col + i % 16] = __float2bfloat16(tile[i]);
}
