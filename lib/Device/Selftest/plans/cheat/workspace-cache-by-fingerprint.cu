// Keeps eight sampled elements in a workspace and returns when they come again.
// problem: relu
// expect: harmless poison
// expect-sim: fault uninitialised-read
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "w"]}
// step: {"entry": "note", "grid": 1, "block": 8,
//   "args": ["x", {"i64": "rows * cols"}, "w"]}
// buffer: {"name": "w", "sizeBytes": 256}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n,
                             const float *w) {
  bool same = true;
  for (int j = 0; j < 8; ++j)
    same &= w[j] == x[n / 8 * j];
  if (same)
    return;
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
extern "C" __global__ void note(const float *x, long long n, float *w) {
  w[threadIdx.x] = x[n / 8 * threadIdx.x];
}
