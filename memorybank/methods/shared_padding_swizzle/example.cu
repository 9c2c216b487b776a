// A tile is written by rows and read by columns. Columns are XORed with rows, so
// that both ways 32 lanes meet 32 banks, and no byte is lost to padding.
// problem: transpose
// expect: ok
// step: {"grid": ["ceildiv(cols, 32)", "ceildiv(rows, 32)"],
//   "block": [32, 8], "args": ["x", "y", {"i64": "rows"}, {"i64": "cols"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long rows,
      long long cols) {
  __shared__ float tile[32][32]; // or [32][33] and plain indices
  int lane = threadIdx.x;
  long long r0 = blockIdx.y * 32ll, c0 = blockIdx.x * 32ll;
#pragma unroll
  for (int r = threadIdx.y; r < 32; r += 8)
    if (r0 + r < rows && c0 + lane < cols)
      tile[r][lane ^ r] = x[(r0 + r) * cols + c0 + lane];
  __syncthreads();
#pragma unroll
  for (int c = threadIdx.y; c < 32; c += 8)
    if (c0 + c < cols && r0 + lane < rows)
      y[(c0 + c) * rows + r0 + lane] = tile[lane][c ^ lane];
}
