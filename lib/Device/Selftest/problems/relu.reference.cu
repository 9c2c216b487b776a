// step: {"grid": "min(ceildiv(rows * cols, 256), 4096)",
//   "args": ["x", "y", {"i64": "rows * cols"}]}
extern "C" __global__ void k(const float *x, double *y, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    y[i] = x[i] <= 0.0f ? 0.0 : (double)x[i];
}
