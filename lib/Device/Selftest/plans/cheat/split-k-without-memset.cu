// Adds partial products into a workspace that it never cleared.
// problem: matmul
// expect: mismatch spurious-non-finite
// expect-sim: fault uninitialised-read
// step: {"grid": ["n / 16", "m / 16", 4], "block": [16, 16],
//   "args": ["a", "b", "w", {"i32": "n"}, {"i32": "k"}]}
// step: {"kind": "copy", "source": "w", "target": "y", "rowBytes": "m * n * 4"}
// buffer: {"name": "w", "sizeBytes": "m * n * 4"}
extern "C" __global__ void k(const float *a, const float *b, float *w, int n,
                             int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.z; i < k; i += 4)
    sum += a[row * k + i] * b[i * n + col];
  atomicAdd(w + row * n + col, sum);
}
