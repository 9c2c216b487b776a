// As many blocks as are resident, each thread strides over the data and has
// four independent loads and four independent chains of arithmetic in flight.
// problem: silu
// expect: ok
// step: {"grid": "min(ceildiv(rows * cols, 1024), 132 * 8)",
//   "args": ["x", "y", {"i64": "rows * cols"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long n) {
  const long long stride = gridDim.x * 256ll;
  long long i = blockIdx.x * 256ll + threadIdx.x;
  for (; i + 3 * stride < n; i += 4 * stride) {
    float v[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      v[j] = x[i + j * stride];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      y[i + j * stride] = v[j] / (1.0f + expf(-v[j]));
  }
  for (; i < n; i += stride)
    y[i] = x[i] / (1.0f + expf(-x[i]));
}
