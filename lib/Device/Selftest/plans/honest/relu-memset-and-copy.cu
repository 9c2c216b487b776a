// Steps of all kinds: memset, a strided copy, a kernel.
// problem: relu
// expect: ok
// step: {"kind": "memset", "buffer": "v", "bytes": 256}
// step: {"kind": "copy", "source": "v", "target": "w", "sourcePitch": 32,
//   "targetPitch": 64, "rowBytes": 32, "rows": 4}
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "w"]}
// buffer: {"name": "w", "sizeBytes": 256}
// buffer: {"name": "v", "sizeBytes": 256}
extern "C" __global__ void k(const float *x, float *y, long long n,
                             const float *w) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] <= w[0] ? w[1] : x[i];
}
