// Prepares what depends on the input of a call, once for all calls.
// problem: scale
// expect: rejected plan
// step: {"kind": "copy", "source": "p", "target": "y",
//   "rowBytes": "rows * cols * 4"}
// prepare: {"entry": "k", "grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "w", "p", {"i64": "rows * cols"}, {"i64": "cols"}]}
// buffer: {"name": "p", "kind": "persistent", "sizeBytes": "rows * cols * 4"}
extern "C" __global__ void k(const float *x, const float *w, float *p,
                             long long n, long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    p[i] = x[i] * w[i % cols];
}
