// 16 sums a thread stay in registers: every loop over them unrolls completely,
// no index is computed, and operands are read one row at a time.
// problem: matmul
// expect: ok
// sizes-sim: {"m": 64, "n": 64}
// step: {"grid": ["n / 64", "m / 64"], "block": [16, 16],
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
constexpr int depth = 4;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int n, int k) {
  __shared__ float left[depth][64 + 1], right[depth][64];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  a += (long long)(blockIdx.y * 64 + t / depth) * k + t % depth;
  b += (long long)(t / 64) * n + blockIdx.x * 64 + t % 64;
  float sum[4][4] = {};
  for (int at = 0; at < k; at += depth) { // k is a multiple of 4
    left[t % depth][t / depth] = a[at];
    right[t / 64][t % 64] = b[(long long)at * n];
    __syncthreads();
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      float col[4];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        col[j] = right[d][j * 16 + tx];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float row = left[d][i * 16 + ty]; // one alive at a time
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] += row * col[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      y[(long long)(blockIdx.y * 64 + i * 16 + ty) * n + blockIdx.x * 64 +
        j * 16 + tx] = sum[i][j];
}
