// Value and index packed into 64 bits, the largest kept by atomics in a cleared
// workspace.
// problem: argmax
// expect: ok
// step: {"kind": "memset", "buffer": "w", "bytes": "rows * 8"}
// step: {"grid": "rows", "args": ["x", "w", {"i64": "cols"}]}
// step: {"entry": "unpack", "grid": "ceildiv(rows, 256)",
//   "args": ["w", "y", {"i64": "rows"}]}
// buffer: {"name": "w", "sizeBytes": "rows * 8"}
extern "C" __global__ void k(const float *x, unsigned long long *w,
                             long long cols) {
  unsigned long long best = 0;
  for (long long i = threadIdx.x; i < cols; i += 256) {
    float v = x[blockIdx.x * cols + i] + 0.0f;
    unsigned bits = __float_as_uint(v);
    bits = v != v                ? 0xffffffffu
           : bits & 0x80000000u ? ~bits
                                 : bits | 0x80000000u;
    unsigned long long packed =
        (unsigned long long)bits << 32 | (0xffffffffu - (unsigned)i);
    best = packed > best ? packed : best;
  }
  atomicMax(w + blockIdx.x, best);
}
extern "C" __global__ void unpack(const unsigned long long *w, long long *y,
                                  long long rows) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < rows)
    y[i] = 0xffffffffu - (unsigned)w[i];
}
