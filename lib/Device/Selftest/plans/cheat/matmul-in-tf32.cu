// Rounds the operands of an f32 product to TF32, where the policy asks for f32.
// problem: matmul
// expect: mismatch budget
__device__ float rounded(float v) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
  return __uint_as_float(bits);
}
extern "C" __global__ void k(const float *a, const float *b, float *y, int m,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += rounded(a[row * k + i]) * rounded(b[i * n + col]);
  y[row * n + col] = sum;
}
