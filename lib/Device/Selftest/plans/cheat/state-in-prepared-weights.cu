// Counts its calls in a buffer that is prepared once, and does half the work
// after the second.
// problem: scale
// expect: mismatch persistent-written
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "p", "y", {"i64": "rows * cols"}, {"i64": "cols"}]}
// step: {"entry": "count", "grid": 1, "block": 1,
//   "args": ["p", {"i64": "cols"}]}
// prepare: {"entry": "pack", "grid": "ceildiv(cols + 1, 256)",
//   "args": ["w", "p", {"i64": "cols"}]}
// buffer: {"name": "p", "kind": "persistent", "sizeBytes": "cols * 4 + 4"}
extern "C" __global__ void k(const float *x, const float *p, float *y,
                             long long n, long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n && (p[cols] < 2.0f || i % 2))
    y[i] = x[i] * p[i % cols];
}
extern "C" __global__ void count(float *p, long long cols) { p[cols] += 1.0f; }
extern "C" __global__ void pack(const float *w, float *p, long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i <= cols)
    p[i] = i < cols ? w[i] : 0.0f;
}
