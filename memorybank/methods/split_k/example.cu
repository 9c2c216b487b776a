// Eight blocks share the sum of each tile of results; their partial tiles go to
// a workspace and a second launch adds them in fixed order.
// problem: matmul
// expect: ok
// sizes: {"m": 64, "n": 64, "k": 16384}
// step: {"grid": ["n / 16", "m / 16", 8], "block": [16, 16],
//   "args": ["a", "b", "w", {"i32": "m"}, {"i32": "n"}, {"i32": "k"}]}
// step: {"entry": "addUp", "grid": "ceildiv(m * n, 256)",
//   "args": ["w", "y", {"i32": "m * n"}]}
// buffer: {"name": "w", "sizeBytes": "8 * m * n * 4"}
constexpr int splits = 8, tile = 16;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ w, int m, int n, int k) {
  __shared__ float as[tile][tile + 1], bs[tile][tile];
  int row = blockIdx.y * tile + threadIdx.y;
  int col = blockIdx.x * tile + threadIdx.x;
  int each = (k + splits - 1) / splits; // may leave the last one less
  int from = blockIdx.z * each, to = min(k, from + each);
  float sum = 0;
  for (int t = from; t < to; t += tile) {
    as[threadIdx.y][threadIdx.x] =
        t + threadIdx.x < to ? a[row * k + t + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] =
        t + threadIdx.y < to ? b[(t + threadIdx.y) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  w[(blockIdx.z * m + row) * n + col] = sum; // zero where there was nothing
}
extern "C" __global__ void __launch_bounds__(256)
    addUp(const float *__restrict__ w, float *__restrict__ y, int results) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= results)
    return;
  float sum = 0;
#pragma unroll
  for (int s = 0; s < splits; ++s)
    sum += w[s * results + i];
  y[i] = sum;
}
