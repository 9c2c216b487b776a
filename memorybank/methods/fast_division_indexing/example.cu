// i % cols for a size that is not known when compiling: one high multiplication
// by 2^62 / cols, rounded up, in place of a division. Exact while
// both i and cols are below 2^31.
// problem: scale
// expect: ok
// sizes: {"rows": 4001, "cols": 4099}
// sizes-sim: {"rows": 13, "cols": 333}
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "w", "y", {"i32": "rows * cols"}, {"i32": "cols"},
//   {"i64": "ceildiv(4611686018427387904, cols)"}]}
// plan: {"requirements": ["rows * cols < 2147483648"]}
struct Divider {
  unsigned size;
  unsigned long long magic;
  __device__ unsigned quotient(unsigned i) const {
    return (unsigned)__umul64hi(magic, (unsigned long long)i << 2);
  }
  __device__ unsigned remainder(unsigned i) const {
    return i - quotient(i) * size;
  }
};
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ w,
      float *__restrict__ y, unsigned n, unsigned cols,
      unsigned long long magic) {
  unsigned i = blockIdx.x * 256u + threadIdx.x;
  if (i < n)
    y[i] = x[i] * w[Divider{cols, magic}.remainder(i)];
}
