// Keeps the result's pointer in a workspace and returns when it comes again, as
// the result is there already.
// problem: relu
// expect: harmless poison
// expect-sim: fault uninitialised-read
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "w"]}
// step: {"entry": "note", "grid": 1, "block": 1, "args": ["x", "y", "w"]}
// buffer: {"name": "w", "sizeBytes": 256}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n,
                             void *const *w) {
  if (w[0] == x && w[1] == y)
    return;
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
extern "C" __global__ void note(void *x, void *y, void **w) {
  w[0] = x;
  w[1] = y;
}
