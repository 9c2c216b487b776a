// A thread makes four outputs of a column: an element of b, once in a register,
// serves four multiply-adds, and addresses and loop are paid once for four.
// problem: matmul
// expect: ok
// step: {"grid": ["n / 32", "m / 32"], "block": [32, 8],
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int n, int k) {
  __shared__ float left[32][8], right[8][32];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx;
  a += (long long)(blockIdx.y * 32 + t / 8) * k + t % 8;
  b += (long long)ty * n + blockIdx.x * 32 + tx;
  float sum[4] = {};
  for (int at = 0; at < k; at += 8) { // k is a multiple of 8
    left[t / 8][t % 8] = a[at];
    right[ty][tx] = b[(long long)at * n];
    __syncthreads();
#pragma unroll
    for (int d = 0; d < 8; ++d) {
      float once = right[d][tx];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        sum[i] += left[i * 8 + ty][d] * once; // the same word for a warp
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    y[(long long)(blockIdx.y * 32 + i * 8 + ty) * n + blockIdx.x * 32 + tx] =
        sum[i];
}
