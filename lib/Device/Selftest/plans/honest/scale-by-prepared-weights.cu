// Weights that are packed once, when they are loaded.
// problem: scale
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "p", "y", {"i64": "rows * cols"}, {"i64": "cols"}]}
// prepare: {"entry": "pack", "grid": "ceildiv(cols, 256)",
//   "args": ["w", "p", {"i64": "cols"}]}
// buffer: {"name": "p", "kind": "persistent", "sizeBytes": "cols * 8"}
extern "C" __global__ void k(const float *x, const float2 *p, float *y,
                             long long n, long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] * p[i % cols].x + p[i % cols].y;
}
extern "C" __global__ void pack(const float *w, float2 *p, long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < cols)
    p[i] = make_float2(w[i], 0.0f);
}
