// Each operand is a TF32 number and the TF32 number of what is left over; three
// products of parts have f32's accuracy. A warp makes 16 x 32 results.
// problem: matmul
// expect: ok
// step: {"grid": ["n / 32", "m / 16"], "block": 32,
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
struct Parts {
  unsigned large, small;
};
__device__ Parts split(float v) {
  Parts p;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(p.large) : "f"(v));
  asm("cvt.rna.tf32.f32 %0, %1;"
      : "=r"(p.small)
      : "f"(v - __uint_as_float(p.large)));
  return p;
}
__device__ void mma(float (&d)[4], const unsigned (&a)[4],
                    const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}
extern "C" __global__ void __launch_bounds__(32)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int n, int k) { // k is a multiple of 8
  int g = threadIdx.x / 4, q = threadIdx.x % 4;
  a += (blockIdx.y * 16 + g) * k + q;
  b += q * n + blockIdx.x * 32 + g;
  float sum[4][4] = {};
  for (int t = 0; t < k; t += 8) {
    unsigned large[4], small[4], largeB[2], smallB[2];
    for (int i = 0; i < 4; ++i) { // rows g and g + 8, columns q and q + 4
      Parts p = split(a[i % 2 * 8 * k + t + i / 2 * 4]);
      large[i] = p.large, small[i] = p.small;
    }
    for (int c = 0; c < 4; ++c) {
      for (int i = 0; i < 2; ++i) {
        Parts p = split(b[(t + i * 4) * n + c * 8]);
        largeB[i] = p.large, smallB[i] = p.small;
      }
      float d[4] = {}; // added up outside: a long sum inside rounds worse
      mma(d, small, largeB);
      mma(d, large, smallB);
      mma(d, large, largeB);
      for (int i = 0; i < 4; ++i)
        sum[c][i] += d[i];
    }
  }
  y += (blockIdx.y * 16 + g) * n + blockIdx.x * 32 + q * 2;
  for (int c = 0; c < 4; ++c) {
    *(float2 *)&y[c * 8] = make_float2(sum[c][0], sum[c][1]);
    *(float2 *)&y[8 * n + c * 8] = make_float2(sum[c][2], sum[c][3]);
  }
}
