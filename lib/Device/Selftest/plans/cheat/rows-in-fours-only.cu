// Says that it works at any number of rows, and handles them in fours.
// problem: relu-sizes
// expect: mismatch not-written
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows"}, {"i64": "cols"}]}
// plan: {"resizable": true}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long rows,
                             long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < rows / 4 * 4 * cols)
    y[i] = relu(x[i]);
}
