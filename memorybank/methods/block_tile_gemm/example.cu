// A block computes 32 x 32 results; tiles of both operands come into shared
// memory once and are read 32 times there. The tail of k is filled with zeros.
// problem: matmul
// expect: ok
// step: {"grid": ["n / 32", "m / 32"], "block": [32, 8],
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
constexpr int tile = 32;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int n, int k) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int row = blockIdx.y * tile + threadIdx.y;
  int col = blockIdx.x * tile + threadIdx.x;
  float sum[4] = {};
  for (int t = 0; t < k; t += tile) {
#pragma unroll
    for (int j = 0; j < tile; j += 8) {
      int r = threadIdx.y + j; // of the tile
      as[r][threadIdx.x] =
          t + threadIdx.x < k ? a[(row + j) * k + t + threadIdx.x] : 0.0f;
      bs[r][threadIdx.x] = t + r < k ? b[(t + r) * n + col] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) {
      float v = bs[i][threadIdx.x]; // neighbours: no conflict
#pragma unroll
      for (int j = 0; j < 4; ++j) // the same for the warp: a broadcast
        sum[j] += as[threadIdx.y + 8 * j][i] * v;
    }
    __syncthreads(); // all have read before the tiles are filled again
  }
#pragma unroll
  for (int j = 0; j < 4; ++j)
    y[(row + 8 * j) * n + col] = sum[j];
}
