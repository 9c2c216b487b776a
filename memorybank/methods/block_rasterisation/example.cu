// Blocks with neighbouring numbers, which run at the same time, compute a patch
// of 8 rows of tiles in place of one long row: both operands stay in L2.
// problem: matmul
// expect: ok
// sizes-sim: {"m": 160, "n": 48}
// step: {"grid": "n / 16 * (m / 16)", "block": [16, 16],
//   "args": ["a", "b", "y", {"i32": "m / 16"}, {"i32": "n"}, {"i32": "k"}]}
constexpr int tile = 16, group = 8;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int tileRows, int n, int k) {
  __shared__ float as[tile][tile + 1], bs[tile][tile];
  int tileCols = n / tile, perGroup = group * tileCols;
  int first = blockIdx.x / perGroup * group; // row of tiles
  int high = min(group, tileRows - first);   // the last group may be lower
  int inside = blockIdx.x % perGroup; // down the group, then to the right
  int row = (first + inside % high) * tile + threadIdx.y;
  int col = inside / high * tile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += tile) {
    as[threadIdx.y][threadIdx.x] =
        t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] =
        t + threadIdx.y < k ? b[(t + threadIdx.y) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  y[row * n + col] = sum;
}
