// Takes what it finds in a workspace for what an earlier call left there.
// problem: relu
// expect: mismatch not-written
// expect-sim: fault uninitialised-read
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "w"]}
// buffer: {"name": "w", "sizeBytes": "rows * cols * 4"}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n, float *w) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = w[i] != 0.0f ? w[i] : (w[i] = relu(x[i]));
}
