// Rounds operands to TF32, where the policy asks for f32, and a sigmoid hides
// most of it.
// problem: linear-sigmoid
// expect: mismatch budget
__device__ float rounded(float v) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
  return __uint_as_float(bits);
}
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += rounded(x[row * k + i]) * rounded(w[i * n + col]);
  y[row * n + col] = 1 / (1 + expf(-sum));
}
