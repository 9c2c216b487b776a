// A warp holds 16 queries and their results in registers; 32 keys and values
// pass at a time. Scores, packed, are the left fragment of the next product.
// problem: attention
// expect: ok
// step: {"grid": ["length / 64", "heads"], "block": 128,
//   "args": ["q", "k", "v", "y", {"i32": "length"}]}
#include <cuda_fp16.h>
__device__ void mma(float (&d)[4], const unsigned (&a)[4],
                    const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}
__device__ unsigned pack(float a, float b) {
  __half2 h = __floats2half2_rn(a, b);
  return *(unsigned *)&h;
}
extern "C" __global__ void __launch_bounds__(128)
    k(const __half *__restrict__ q, const __half *__restrict__ k,
      const __half *__restrict__ v, __half *__restrict__ y, int length) {
  __shared__ alignas(16) __half ks[32][72], vs[32][72];
  int lane = threadIdx.x % 32, g = lane / 4, p = lane % 4 * 2;
  long long head = blockIdx.y * (long long)length * 64;
  long long mine =
      head + (blockIdx.x * 64 + threadIdx.x / 32 * 16 + g) * 64 + p;
  unsigned fq[4][4];
  for (int s = 0; s < 4; ++s)
    for (int i = 0; i < 4; ++i) // rows g and g + 8, columns p and p + 8
      fq[s][i] = *(unsigned *)&q[mine + i % 2 * 8 * 64 + s * 16 + i / 2 * 8];
  float o[8][4] = {}, top[2] = {-1e30f, -1e30f}, total[2] = {};
  const float scale = 0.125f * 1.44269504f; // of exp2
  for (int t = 0; t < length; t += 32) {
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * 8; i += 128) {
      long long from = head + (t + i / 8) * 64 + i % 8 * 8;
      *(uint4 *)&ks[i / 8][i % 8 * 8] = *(const uint4 *)&k[from];
      *(uint4 *)&vs[i / 8][i % 8 * 8] = *(const uint4 *)&v[from];
    }
    __syncthreads();
    float s[4][4] = {};
    for (int d = 0; d < 64; d += 16)
      for (int c = 0; c < 4; ++c)
        mma(s[c], fq[d / 16],
            {*(unsigned *)&ks[c * 8 + g][d + p],
             *(unsigned *)&ks[c * 8 + g][d + p + 8]});
    for (int r = 0; r < 2; ++r) { // row g, row g + 8
      float most = top[r];
      for (int c = 0; c < 4; ++c)
        most = fmaxf(most, fmaxf(s[c][2 * r], s[c][2 * r + 1]));
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
      float fade = exp2f((top[r] - most) * scale);
      top[r] = most;
      total[r] *= fade;
      for (int i = 0; i < 16; ++i)
        o[i / 2][2 * r + i % 2] *= fade;
      for (int i = 0; i < 8; ++i) {
        float &e = s[i / 2][2 * r + i % 2];
        total[r] += e = exp2f((e - most) * scale);
      }
    }
    for (int s2 = 0; s2 < 2; ++s2) {
      float (&a)[4] = s[2 * s2], (&b)[4] = s[2 * s2 + 1];
      unsigned weights[4] = {pack(a[0], a[1]), pack(a[2], a[3]),
                             pack(b[0], b[1]), pack(b[2], b[3])};
      for (int c = 0; c < 8; ++c) {
        unsigned fv[2];
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
            : "=r"(fv[0]), "=r"(fv[1])
            : "r"((unsigned)__cvta_generic_to_shared(
                &vs[s2 * 16 + lane % 16][c * 8])));
        mma(o[c], weights, fv);
      }
    }
  }
  for (int r = 0; r < 2; ++r) {
    total[r] += __shfl_xor_sync(~0u, total[r], 1);
    total[r] += __shfl_xor_sync(~0u, total[r], 2);
    for (int c = 0; c < 8; ++c)
      *(unsigned *)&y[mine + r * 8 * 64 + c * 8] =
          pack(o[c][2 * r] / total[r], o[c][2 * r + 1] / total[r]);
  }
}
