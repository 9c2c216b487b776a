// Statistics and their use want different grids: 64 rows a block for sums down
// the columns, any order at all for the subtraction. In one kernel, columns
// alone would be what blocks can share.
// problem: centre-columns
// expect: ok
// step: {"kind": "memset", "buffer": "sum", "bytes": "cols * 8"}
// step: {"entry": "sums", "grid": ["ceildiv(cols, 256)", "ceildiv(rows, 64)"],
//   "args": ["x", "sum", {"i64": "rows"}, {"i64": "cols"}]}
// step: {"grid": ["ceildiv(cols, 256)", "rows"],
//   "args": ["x", "sum", "y", {"i64": "rows"}, {"i64": "cols"}]}
// buffer: {"name": "sum", "sizeBytes": "cols * 8"}
extern "C" __global__ void __launch_bounds__(256)
    sums(const float *__restrict__ x, double *sum, long long rows,
         long long cols) {
  long long c = blockIdx.x * 256ll + threadIdx.x, first = blockIdx.y * 64ll;
  if (c >= cols)
    return;
  double part = 0; // a mean far from zero needs it
#pragma unroll 8
  for (long long r = first; r < min(first + 64, rows); ++r)
    part += x[r * cols + c];
  atomicAdd(sum + c, part);
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const double *__restrict__ sum,
      float *__restrict__ y, long long rows, long long cols) {
  long long c = blockIdx.x * 256ll + threadIdx.x, i = blockIdx.y * cols + c;
  if (c < cols)
    y[i] = (float)(x[i] - sum[c] / rows);
}
