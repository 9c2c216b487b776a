// Bounded to 128 threads a block and launched with 1024.
// problem: relu
// expect: launch_error launch
// step: {"grid": "ceildiv(rows * cols, 1024)", "block": 1024,
//   "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void __launch_bounds__(128)
    k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 1024ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
