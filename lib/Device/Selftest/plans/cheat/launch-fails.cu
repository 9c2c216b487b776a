// A block of more threads than there can be: nothing runs, and old memory would
// be taken for a result.
// problem: relu
// expect: rejected plan
// step: {"grid": "ceildiv(rows * cols, 2048)", "block": 2048,
//   "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 2048ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
