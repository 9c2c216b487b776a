// The reduced dimension is not the innermost one: lanes lie along the columns,
// the warps of a block share the rows and meet in shared memory.
// problem: column-sum
// expect: ok
// step: {"grid": "ceildiv(cols, 32)", "block": [32, 8],
//   "args": ["x", "y", {"i64": "rows"}, {"i64": "cols"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long rows,
      long long cols) {
  __shared__ float part[8][32];
  long long c = blockIdx.x * 32ll + threadIdx.x, r = threadIdx.y;
  float sum[4] = {};
  if (c < cols) {
    for (; r + 24 < rows; r += 32)
#pragma unroll
      for (int j = 0; j < 4; ++j) // four rows in flight
        sum[j] += x[(r + 8 * j) * cols + c];
    for (; r < rows; r += 8)
      sum[0] += x[r * cols + c];
  }
  part[threadIdx.y][threadIdx.x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  __syncthreads();
  if (threadIdx.y == 0 && c < cols) {
    float all = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w)
      all += part[w][threadIdx.x];
    y[c] = all;
  }
}
